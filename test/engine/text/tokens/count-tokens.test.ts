import * as fc from '../../../helpers/properties.ts'
import { countTokens as countWithLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { LONGEST_TOKEN } from '../../../../electron/engine/text/tokens/byte-pairs.ts'
import { countTokens, countUpTo } from '../../../../electron/engine/text/tokens/count-tokens.ts'
import { firstTokens } from '../../../../electron/engine/text/tokens/first-tokens.ts'
import { measureTokens } from '../../../../electron/engine/text/tokens/measure-tokens.ts'
import {
  estimateHundredths,
  estimateTokens,
} from '../../../../electron/engine/text/tokens/estimate-tokens.ts'

const library = (text: string) => countWithLibrary(text, { disallowedSpecial: new Set() })

const PIECES = [
  'Hello',
  'WORLD',
  'camelCaseName',
  'IDs',
  "don't",
  "I'LL",
  "'s",
  "'ſ",
  'naïve',
  'ÉCOLE',
  'Straße',
  '日本語',
  'ABC日本x',
  'ǅ',
  'ʰa',
  'e\u0301',
  '\u0301',
  ' \u0301',
  '12345',
  '٣٤٥',
  '½',
  '𝟙𝟚',
  '𝔘𝔫𝔦',
  '👩‍👩‍👧‍👦',
  '\ud800',
  '\udc00',
  ' ',
  '  ',
  '   ',
  '\t',
  '\u00a0',
  '\u3000',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\n',
  '\r\n',
  '\n\n',
  ' \n ',
  '.',
  '...',
  '://',
  '/',
  '//\n/',
  '{"',
  '":',
  '",',
  '===',
  '<|endoftext|>',
  '\u0000',
  '\u001b[0m',
]

describe('countTokens', () => {
  test('agrees with gpt-tokenizer on any mixture of awkward pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), {
          maxLength: 30,
        }),
        (pieces) => {
          const text = pieces.join('')
          expect(countTokens(text)).toBe(library(text))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('agrees with gpt-tokenizer on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(countTokens(text)).toBe(library(text))
      }),
      { numRuns: 500 },
    )
  })

  test.each(['a', 'ab', '=', ' ', '\n', '漢字', 'xY', '\ud83d'])(
    'agrees where %j is repeated into one long piece',
    (unit) => {
      const text = unit.repeat(700)
      expect(countTokens(text)).toBe(library(text))
    },
  )

  test('megabytes without a blank are counted, not waited for', () => {
    expect(countTokens('a'.repeat(1_000_000))).toBe(125_000)
  })

  test('a run of the longest token there is', () => {
    expect(countTokens(' '.repeat(LONGEST_TOKEN))).toBe(1)
    expect(countTokens(' '.repeat(LONGEST_TOKEN + 1))).toBe(2)
  })

  test('text that looks like a special token is data', () => {
    expect(countTokens('<|endoftext|>')).toBe(7)
  })
})

describe('countUpTo', () => {
  test('is exact up to the limit and above the limit otherwise', () => {
    const text = 'one two three four five six seven'
    expect(countUpTo(text, 7)).toBe(7)
    expect(countUpTo(text, 100)).toBe(7)
    expect(countUpTo(text, 3)).toBeGreaterThan(3)
    expect(countUpTo('z'.repeat(5_000_000), 10)).toBeGreaterThan(10)
  })
})

describe('firstTokens', () => {
  test('gives the longest beginning within the limit, and never half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 0, max: 50 }),
        (text, limit) => {
          const start = firstTokens(text, limit)
          expect(text.startsWith(start)).toBe(true)
          expect(countTokens(start)).toBeLessThanOrEqual(limit)
          expect(start.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
    expect(firstTokens('one two three four', 2)).toBe('one two')
  })
})

describe('measureTokens', () => {
  test('is exact for small texts and close for large ones', () => {
    const small = '{"id": 17, "name": "A short record"}\n'.repeat(50)
    expect(measureTokens(small)).toBe(countTokens(small))
    const large = Array.from(
      { length: 4000 },
      (_, i) => `2024-05-0${(i % 9) + 1} request ${i} took ${i * 7} ms on worker-${i % 13}`,
    ).join('\n')
    const exact = countTokens(large)
    expect(Math.abs(measureTokens(large) - exact) / exact).toBeLessThan(0.03)
  })
})

describe('estimateTokens', () => {
  test('is within a quarter for ordinary texts', () => {
    const prose =
      'The committee met on Tuesday to discuss the proposal, which had been postponed twice. '.repeat(20)
    const data = Array.from(
      { length: 60 },
      (_, i) => `{"id":${i * 37},"price":${(i * 1.37).toFixed(2)},"tags":["a","b${i}"]}`,
    ).join(',')
    for (const text of [prose, data]) {
      const exact = countTokens(text)
      expect(Math.abs(estimateTokens(text) - exact) / exact).toBeLessThan(0.25)
    }
  })

  test('adds up wherever a run of characters of one kind ends, however long the texts and runs', () => {
    const run = fc.tuple(
      fc.constantFrom('a', 'Z', '7', ' ', '\n', 'é', 'я', '日'),
      fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20_000 })),
    )
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 12 }), (runs) => {
        const parts = runs.map(([sign, times], i) => (i % 2 === 0 ? sign.repeat(times) : '-'))
        const text = parts.join('-')
        const merged = text.match(/-+|[^-]+/g) ?? []
        const sum = merged.reduce((all, part) => all + estimateHundredths(part, 0, part.length), 0)
        expect(estimateHundredths(text, 0, text.length)).toBe(sum)
      }),
    )
  })
})

test('takes a megabyte of one letter, or of two, for no word', () => {
  for (const text of ['z'.repeat(1_000_000), 'ab'.repeat(500_000), 'Z'.repeat(1_000_000)])
    expect(measureTokens(text)).toBeGreaterThan(50_000)
})
