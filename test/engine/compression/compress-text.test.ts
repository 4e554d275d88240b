import * as fc from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { compressText } from '../../../electron/engine/compression/compress-text.ts'
import { strategies } from '../../../electron/engine/compression/strategies/registry.ts'
import type { Strategy } from '../../../electron/engine/compression/strategy.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'

const prose = Array.from(
  { length: 200 },
  (_, i) => `In the year ${1500 + i} the town of Lum had ${i * 13} houses.`,
).join(' ')

test('a strategy that gives a tenth too much is asked again with less, and never sent as it is', () => {
  const asked: number[] = []
  const generous: Strategy = {
    name: 'generous',
    kinds: [],
    compress: ({ budget }) => {
      asked.push(budget)
      return { text: ' so'.repeat(Math.ceil(budget * 1.1)), omitted: 'the rest', lossless: false }
    },
  }
  const known = strategies as Strategy[]
  known.push(generous)
  try {
    for (const budget of [150, 400, 1000, 5000]) {
      const output = compressText({
        text: prose.repeat(20),
        budget,
        strategy: 'generous',
        resultId: 'r_7f3a9c',
      })
      expect(countTokens(output.text)).toBeLessThanOrEqual(budget)
      expect(output.tokensAfter).toBe(countTokens(output.text))
    }
    expect(asked.length).toBeGreaterThan(4)
  } finally {
    known.pop()
  }
})

describe('compressText', () => {
  test('leaves a text that fits alone', () => {
    expect(compressText({ text: 'A short text.', budget: 100 })).toEqual({
      text: 'A short text.',
      strategy: 'none',
      kind: 'prose',
      tokensBefore: 4,
      tokensAfter: 4,
      omitted: undefined,
      lossless: true,
    })
  })

  test('leaves a long text that just fits alone, wherever its tokens are', () => {
    const sparse = ' '.repeat(40_000)
    const dense = '日本語の文章です。'.repeat(900)
    for (const text of [dense + sparse, sparse + dense]) {
      const { strategy, text: shown } = compressText({ text, kind: 'prose', budget: countTokens(text) })
      expect(strategy).toBe('none')
      expect(shown).toBe(text)
    }
  })

  test('puts a header before what fits the goal', () => {
    const output = compressText({ text: prose, goal: 'How many houses were there in 1584?', budget: 150 })
    expect(output.text).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: prose\] Omitted: [^\n]+\n\n/)
    expect(output.text).toContain('1092 houses')
    expect(output.tokensAfter).toBe(countTokens(output.text))
    expect(output.tokensBefore).toBe(countTokens(prose))
    expect(output.lossless).toBe(false)
  })

  test('an empty goal is none', () => {
    expect(compressText({ text: prose, goal: '  ', budget: 150 })).toEqual(
      compressText({ text: prose, budget: 150 }),
    )
  })

  test('names the id of the kept original', () => {
    const { text, tokensAfter } = compressText({ text: prose, budget: 150, resultId: 'r_1' })
    expect(text).toContain('id: r_1]')
    expect(tokensAfter).toBeLessThanOrEqual(150)
  })

  test('a strategy can be forced, and an unknown one is as none', () => {
    expect(compressText({ text: prose, budget: 150, strategy: 'preview' }).strategy).toBe('preview')
    expect(compressText({ text: prose, budget: 150, strategy: 'nonsense' }).strategy).toBe('prose')
  })

  test('what only looks like JSON is taken for what it is', () => {
    const log = Array.from(
      { length: 200 },
      (_, i) => `[2024-01-01 10:00:${10 + (i % 50)}] INFO request ${i} done]`,
    ).join('\n')
    const { strategy } = compressText({ text: log, budget: 200, kind: 'json' })
    expect(['log', 'prose']).toContain(strategy)
  })

  test('HTML becomes its content even where it would fit', () => {
    const page = `<html><body><nav><a href="/">Home</a></nav><article>${`<p>${prose}</p>`.repeat(2)}</article></body></html>`
    const { text, strategy } = compressText({ text: page, budget: 100_000 })
    expect(strategy).toBe('html')
    expect(text).not.toContain('<p>')
    expect(text).toContain('In the year 1699')
  })

  test('asked for a lossless form, gives one or the text itself', () => {
    const output = compressText({ text: prose, budget: 50, lossless: true })
    expect(output.lossless).toBe(true)
    expect(output.text).toBe(prose)
  })

  test.each([0, 1, 2, 5, 20])('a budget of %i is kept, header or not', (budget) => {
    const { text } = compressText({ text: prose, budget, resultId: 'r_1' })
    expect(countTokens(text)).toBeLessThanOrEqual(budget)
  })

  test('any text, goal and budget: within the budget, never larger, the same every time', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc.json({ maxDepth: 4 }),
      fc.lorem({ maxCount: 300 }),
      fc
        .array(
          fc.constantFrom(
            '<p>',
            '</div>',
            '{',
            '"a":',
            '| a | b |',
            '\n',
            ',',
            '2024-01-01 10:00:00 ERROR',
            'def f():',
            '@@ -1,2 +1,3 @@',
            '\ud800',
          ),
          { maxLength: 200 },
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(
        anyText,
        fc.option(fc.string({ maxLength: 40 }), { nil: undefined }),
        fc.nat({ max: 300 }),
        (text, goal, budget) => {
          const output = compressText({ text, goal, budget })
          expect(countTokens(output.text)).toBeLessThanOrEqual(budget)
          expect(countTokens(output.text)).toBeLessThanOrEqual(countTokens(text))
          expect(output.tokensAfter).toBe(countTokens(output.text))
          expect(compressText({ text, goal, budget })).toEqual(output)
        },
      ),
      { numRuns: 300 },
    )
  })
})

test('the ending of the file that a call names tells what lines alone do not', () => {
  const text = Array.from({ length: 400 }, (_, line) => `option-${line} value ${line * 7}`).join('\n')
  const asked = { text, goal: 'option-77', budget: 200 }
  expect(compressText({ ...asked, hint: { ending: 'conf' } })).toMatchObject({
    kind: 'data',
    strategy: 'records',
  })
  expect(compressText(asked).kind).not.toBe('data')
})
