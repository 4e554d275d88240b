import { createHash } from 'node:crypto'
import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { ExploredText } from '../../../../electron/engine/results/explore/explored-text.ts'
import { readPage } from '../../../../electron/engine/results/explore/read.ts'
import type { ReadUnit } from '../../../../electron/engine/results/explore/read.ts'
import { tokenCounter } from '../../../helpers/token-counter.ts'

const UNITS: readonly ReadUnit[] = ['lines', 'bytes', 'tokens']
const sha256 = (text: string) => createHash('sha256').update(JSON.stringify(text)).digest('hex')

/** Follows `next` to the end, as a model would. */
function readAll(text: string, unit: ReadUnit, limit: number | undefined, budget: number): string[] {
  const source = new ExploredText(text, 'prose')
  const pages: string[] = []
  let at: { unit: ReadUnit; offset: number } | undefined = { unit, offset: 0 }
  while (at) {
    const page = readPage(
      source,
      { ...at, limit: at.unit === unit ? limit : undefined },
      budget,
      tokenCounter,
    )
    expect(page.text.length, 'every page moves on').toBeGreaterThan(text === '' ? -1 : 0)
    pages.push(page.text)
    at = page.next
  }
  return pages
}

describe('pages put together are the original', () => {
  const texts: [string, string][] = [
    ['a log', Array.from({ length: 2000 }, (_, line) => `2026-11-22 line ${line} äöü 漢字 😀`).join('\n')],
    [
      'minified JSON',
      JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id, name: `user ${id}`, x: '😀é' }))),
    ],
    ['line ends of all sorts', 'a\r\nb\n\n\r\rc\n\n\nd\u2028e\n'],
    ['NUL and lone surrogates', 'a\0b\ud800c\udc00\ud83d\ude00\n'.repeat(300)],
    ['no line end at the end', 'one\ntwo'],
    ['nothing but line ends', '\n\n\n'],
    ['nothing', ''],
  ]
  for (const [name, text] of texts) {
    test.each(UNITS)(`${name} by %s`, (unit) => {
      expect(sha256(readAll(text, unit, undefined, 300).join(''))).toBe(sha256(text))
    })
  }

  test('whatever the text, the unit, the size of a page and the budget', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '\n',
        '\r\n',
        ' '.repeat(50),
        'word '.repeat(30),
        '漢字'.repeat(20),
        '\ud83d',
        '\u0000',
      ),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom(...UNITS),
        fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
        fc.integer({ min: 1, max: 60 }),
        (pieces, unit, limit, budget) => {
          const text = pieces.join('')
          expect(readAll(text, unit, limit, budget).join('')).toBe(text)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('a page', () => {
  const lines = new ExploredText(
    Array.from({ length: 100 }, (_, line) => `line ${line + 1}\n`).join(''),
    'log',
  )

  test('never has more tokens than the budget', () => {
    for (const unit of UNITS) {
      for (const page of readAll('漢字 is 😀 and words, 12345 of them\n'.repeat(200), unit, undefined, 100)) {
        expect(tokenCounter.count(page)).toBeLessThanOrEqual(100)
      }
    }
  })

  test('has the lines that were asked for, and says what is next', () => {
    expect(readPage(lines, { unit: 'lines', offset: 9, limit: 2 }, 1000, tokenCounter)).toEqual({
      text: 'line 10\nline 11\n',
      covers: 'lines 10 to 11 of 100',
      next: { unit: 'lines', offset: 11 },
    })
  })

  test('counts from the end where the offset is negative', () => {
    expect(readPage(lines, { unit: 'lines', offset: -2, limit: undefined }, 1000, tokenCounter)).toEqual({
      text: 'line 99\nline 100\n',
      covers: 'lines 99 to 100 of 100',
      next: undefined,
    })
    expect(readPage(lines, { unit: 'bytes', offset: -4, limit: undefined }, 1000, tokenCounter).text).toBe(
      '100\n',
    )
    expect(readPage(lines, { unit: 'tokens', offset: -1, limit: undefined }, 1000, tokenCounter).text).toBe(
      '\n',
    )
    expect(readPage(lines, { unit: 'lines', offset: -999, limit: 1 }, 1000, tokenCounter).text).toBe(
      'line 1\n',
    )
  })

  test('of bytes begins and ends at whole characters', () => {
    const source = new ExploredText('aé😀b', 'prose')
    expect(source.byteCount).toBe(8)
    expect(readPage(source, { unit: 'bytes', offset: 2, limit: 1 }, 100, tokenCounter)).toMatchObject({
      text: 'é',
      next: { unit: 'bytes', offset: 3 },
    })
    expect(readPage(source, { unit: 'bytes', offset: 3, limit: 2 }, 100, tokenCounter).text).toBe('😀')
  })

  // RLM returned minified JSON whole, as one line.
  test('predecessors 1B.9: of a line longer than a page is a part of it, and goes on by bytes', () => {
    const source = new ExploredText('x'.repeat(10) + '{"a":1},'.repeat(10_000), 'json')
    const page = readPage(source, { unit: 'lines', offset: 0, limit: 1 }, 100, tokenCounter)
    expect(tokenCounter.count(page.text)).toBeLessThanOrEqual(100)
    expect(page.covers).toContain('80,010 characters')
    expect(page.next).toEqual({ unit: 'bytes', offset: page.text.length })
  })

  test.each(UNITS)('behind the end is an error that says where the end is: %s', (unit) => {
    expect(() => readPage(lines, { unit, offset: 100_000, limit: undefined }, 100, tokenCounter)).toThrow(
      expect.objectContaining({
        code: 'BAD_INPUT',
        message: expect.stringMatching(/behind the end: there are [\d,]+ /),
      }),
    )
  })

  test('the last one of tokens ends where the text does', () => {
    const page = readPage(lines, { unit: 'tokens', offset: 8, limit: undefined }, 100_000, tokenCounter)
    expect(page.next).toBeUndefined()
    const total = lines.tokenCount(tokenCounter)
    expect(page.covers).toBe(`tokens 8 to ${total.toLocaleString('en')}`)
  })

  test('of tokens is as long as was asked for', () => {
    const page = readPage(lines, { unit: 'tokens', offset: 8, limit: 4 }, 1000, tokenCounter)
    expect(tokenCounter.count(page.text)).toBe(4)
    expect(page.next).toEqual({ unit: 'tokens', offset: 12 })
  })
})
