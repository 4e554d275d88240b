import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { ExploredText } from '../../../../electron/engine/results/explore/explored-text.ts'
import { findFuzzy } from '../../../../electron/engine/results/explore/find-fuzzy.ts'
import { searchTexts } from '../../../../electron/engine/results/explore/search.ts'
import type { SearchInput } from '../../../../electron/engine/results/explore/search.ts'
import { tokenCounter } from '../../../helpers/token-counter.ts'

function search(
  text: string,
  input: Partial<SearchInput> & { pattern: string },
  kind = 'log',
  budget = 1000,
) {
  const source = new ExploredText(text, kind)
  return searchTexts(
    [{ label: 'r_1', source }],
    { mode: 'regex', ignoreCase: false, contextLines: 0, maxResults: 20, offset: 0, ...input },
    budget,
    tokenCounter,
  )
}

const numbered = (count: number) => Array.from({ length: count }, (_, line) => `line ${line + 1}`).join('\n')

describe('regex', () => {
  test('gives matching lines with their numbers', () => {
    expect(search(numbered(30), { pattern: '^line 2$|9$' })).toEqual({
      blocks: ['2: line 2', '9: line 9', '19: line 19', '29: line 29'],
      total: 4,
      isCapped: false,
      next: undefined,
    })
  })

  test('pages by matches', () => {
    const first = search(numbered(100), { pattern: 'line', maxResults: 3 })
    expect(first).toMatchObject({ blocks: ['1: line 1', '2: line 2', '3: line 3'], total: 100, next: 3 })
    expect(search(numbered(100), { pattern: 'line', maxResults: 3, offset: 99 })).toMatchObject({
      blocks: ['100: line 100'],
      next: undefined,
    })
    expect(() => search(numbered(5), { pattern: 'line', offset: 5 })).toThrow(/behind the last of 5 matches/)
  })

  test('shows lines around a match, the match marked', () => {
    expect(search(numbered(9), { pattern: '5', contextLines: 1 }).blocks).toEqual([
      '5:\n 4: line 4\n>5: line 5\n 6: line 6',
    ])
  })

  test('ignores case when told to, and finds what spans lines', () => {
    expect(search('Error here', { pattern: 'ERROR' }).total).toBe(0)
    expect(search('Error here', { pattern: 'ERROR', ignoreCase: true }).total).toBe(1)
    expect(search('begin\nmiddle\nend', { pattern: 'begin\\nmiddle' }).blocks).toEqual([
      '1:\n>1: begin\n>2: middle',
    ])
  })

  // RLM: regex "." on 1.2 MB returned 1.2 MB; on minified JSON any match returned the whole document.
  test('predecessors 1B.9: output obeys the budget, also for "." and for minified JSON', () => {
    const json = JSON.stringify({
      users: Array.from({ length: 20_000 }, (_, id) => ({ id, email: `u${id}@example.com` })),
    })
    for (const [text, kind] of [
      [numbered(100_000), 'log'],
      [json, 'json'],
      ['x'.repeat(1_200_000), 'prose'],
    ] as const) {
      const page = search(text, { pattern: '.', maxResults: 500 }, kind, 300)
      expect(tokenCounter.count(page.blocks.join('\n'))).toBeLessThanOrEqual(300)
      expect(page.next).toBe(page.blocks.length)
    }
    expect(search(json, { pattern: 'u77@' }, 'json').blocks).toEqual([
      '1 (users[77].email): {"id":77,"email":"u77@example.com"}',
    ])
  })

  // RLM used Python's backtracking engine without a time limit.
  test('predecessors 1B.10: an expression that explodes elsewhere does not here', () => {
    expect(search(`${'a'.repeat(100_000)}!`, { pattern: '^(a+)+$' }).total).toBe(0)
    expect(search(`${'x'.repeat(50_000)}y`, { pattern: '(x+x+)+z' }).total).toBe(0)
  })

  test.each([
    ['regex', '('],
    ['context', '('],
    ['regex', '(?=a)'],
    ['regex', String.raw`(a)\1`],
    ['regex', '*'],
  ] as const)(
    'predecessors 1B.10: a bad expression is an error that names the syntax: %s %s',
    (mode, pattern) => {
      expect(() => search('text', { mode, pattern })).toThrow(
        expect.objectContaining({
          code: 'BAD_INPUT',
          message: expect.stringMatching(/RE2 syntax.*bm25.*fuzzy/s),
        }),
      )
    },
  )

  test('expressions that match nothing visible end', () => {
    expect(search('abc\n\ndef', { pattern: 'x*' }).total).toBe(3)
    expect(search('b'.repeat(1000), { pattern: 'x*' }, 'prose').total).toBeLessThan(20)
  })

  test('names paths in pretty-printed JSON and in JSON lines', () => {
    const pretty = JSON.stringify({ a: { 'b.c': [{ d: 'needle' }] } }, null, 2)
    expect(search(pretty, { pattern: 'needle' }, 'json').blocks[0]).toMatch(
      /^5 \(a\["b\.c"\]\[0\]\.d\): +"d": "needle"$/,
    )
    expect(search('{"a":1}\n{"a":"needle"}', { pattern: 'needle' }, 'log').blocks).toEqual([
      '2 ([1].a): {"a":"needle"}',
    ])
  })
})

describe('bm25', () => {
  test('ranks passages that have more and rarer words of the query first', () => {
    const text = [
      'The cache keeps entries for a while.',
      'Entries expire; expired entries leave the cache by a sweep of the cache.',
      'Nothing about it.',
      'Cache.',
    ].join('\n\n')
    const page = search(text, { mode: 'bm25', pattern: 'expired cache entries' }, 'prose')
    expect(page.blocks[0]).toMatch(/^3 \(score [\d.]+\): Entries expire/)
    expect(page.blocks).toHaveLength(3)
  })

  test('takes records of JSON as passages', () => {
    const json = JSON.stringify({
      total: 900,
      rows: Array.from({ length: 900 }, (_, id) => ({ id, note: id === 444 ? 'broken pipe' : 'fine' })),
    })
    expect(search(json, { mode: 'bm25', pattern: 'broken pipes' }, 'json').blocks).toEqual([
      expect.stringMatching(/^1 \(rows\[444\], score [\d.]+\): \{"id":444,"note":"broken pipe"\}$/),
    ])
  })

  // RLM's tokeniser treated a run of Chinese as one word, and confused characters with tokens when normalising.
  test('predecessors 1B.13: finds words in text without blanks, and does not favour long passages', () => {
    const text = '我们的数据库很大。\n\n天气很好。\n\n请检查数据库连接是否正常。'
    expect(search(text, { mode: 'bm25', pattern: '数据库连接' }, 'prose').blocks[0]).toContain(
      '请检查数据库连接',
    )
    const long = `${'filler words here '.repeat(20)}needle\n\nneedle is here`
    expect(search(long, { mode: 'bm25', pattern: 'needle' }, 'prose').blocks[0]).toContain('needle is here')
  })

  test('shows a passage with the heading above it, and code between fences as one', () => {
    const text =
      '# Guide\n\n## Install\n\nRun the installer twice.\n\n```\nfetch\n\ninstall now\n```\n\n## Use\n\nStart it.\n'
    const { blocks } = search(text, { mode: 'bm25', pattern: 'install' }, 'markdown')
    expect(blocks).toEqual([
      expect.stringMatching(/^3 \(score [\d.]+\): ## Install\n\nRun the installer twice\.$/),
      expect.stringMatching(/^7 \(score [\d.]+\): ```\nfetch\n\ninstall now\n```$/),
    ])
  })

  test('is the same every time, and says so when there is no word to look for', () => {
    const page = () => search(numbered(500), { mode: 'bm25', pattern: 'line 7' })
    expect(page()).toEqual(page())
    expect(() => search('x', { mode: 'bm25', pattern: '...' })).toThrow(/at least one word/)
  })
})

describe('fuzzy', () => {
  test('finds what is misspelled, the likest first', () => {
    const text = 'conection refused\nConnection refused\nconnection reused\nsomething else'
    expect(search(text, { mode: 'fuzzy', pattern: 'connection refused' }).blocks).toEqual([
      '2 (exact): Connection refused',
      '1 (1 of 18 characters differ): conection refused',
      '3 (1 of 18 characters differ): connection reused',
    ])
  })

  // RLM took 9.8 s for 20,000 lines without a match; this is ten times that, with a time-out.
  test('predecessors 1B.10: a long text without a match is gone through once', () => {
    const text = Array.from(
      { length: 200_000 },
      (_, line) => `line ${line} is an ordinary line of a log file, nothing in it`,
    ).join('\n')
    expect(search(text, { mode: 'fuzzy', pattern: 'zzzqqqxxxjjjwwwkkkvvvyyyuuuzzzqqqxxxjjj' }).total).toBe(0)
  })

  test('agrees with the plain algorithm of edit distance', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(word, word, (text, pattern) => {
        const allowed = pattern.length < 3 ? 0 : Math.max(1, Math.floor(pattern.length * 0.3))
        const best = Math.min(...distances(text, pattern))
        const { matches } = findFuzzy(new ExploredText(text, 'prose'), pattern)
        const note = best === 0 ? 'exact' : `${best} of ${pattern.length} characters differ`
        expect(matches[0]?.note).toBe(best > allowed ? undefined : note)
      }),
      { numRuns: 300 },
    )
  })

  test('refuses what is no word to look for', () => {
    expect(() => search('x', { mode: 'fuzzy', pattern: ' ' })).toThrow(/1 to 256 characters/)
    expect(() => search('x', { mode: 'fuzzy', pattern: 'x'.repeat(300) })).toThrow(/bm25/)
  })
})

/** Minimum edit distance of `pattern` to any substring ending at each position of `text` (Sellers 1980). */
function distances(text: string, pattern: string): number[] {
  let column = Array.from({ length: pattern.length + 1 }, (_, row) => row)
  return Array.from(text, (character) => {
    const next = [0]
    for (let row = 1; row <= pattern.length; row++) {
      const [left, up, corner] = [column[row] ?? 0, next[row - 1] ?? 0, column[row - 1] ?? 0]
      next.push(Math.min(left + 1, up + 1, corner + (pattern[row - 1] === character ? 0 : 1)))
    }
    column = next
    return column.at(-1) ?? 0
  })
}

describe('context', () => {
  test('gives the whole paragraph, once', () => {
    const text = 'first\n\nalpha needle\nbeta Needle\ngamma\n\nlast'
    expect(search(text, { mode: 'context', pattern: 'needle' }, 'prose').blocks).toEqual([
      '3: alpha needle\nbeta Needle\ngamma',
    ])
  })

  test('gives the smallest object of JSON', () => {
    const json = JSON.stringify({
      list: [
        { id: 1, in: { v: 'needle' } },
        { id: 2, tags: ['x', 'needle'] },
      ],
    })
    expect(search(json, { mode: 'context', pattern: 'needle' }, 'json').blocks).toEqual([
      '1 (list[0].in): "in":{"v":"needle"}',
      '1 (list[1]): {"id":2,"tags":["x","needle"]}',
    ])
  })

  test('gives lines nearby where there are no paragraphs', () => {
    const [block] = search(numbered(100), { mode: 'context', pattern: '^line 50$' }).blocks
    expect(block).toMatch(/^45: line 45\n[^]*\nline 55$/)
  })
})

test('several parts are searched together, and each match names its part', () => {
  const sources = ['one needle', 'none', 'two needle'].map((text, index) => ({
    label: `r_1/${index}`,
    source: new ExploredText(text, 'prose'),
  }))
  const input = {
    pattern: 'needle',
    mode: 'regex',
    ignoreCase: false,
    contextLines: 0,
    maxResults: 20,
  } as const
  expect(searchTexts(sources, { ...input, offset: 0 }, 100, tokenCounter).blocks).toEqual([
    'r_1/0: 1: one needle',
    'r_1/2: 1: two needle',
  ])
  expect(searchTexts(sources, { ...input, offset: 1 }, 100, tokenCounter).blocks).toEqual([
    'r_1/2: 1: two needle',
  ])
})

test('an empty pattern outside of expressions is refused', () => {
  expect(() => search('x', { mode: 'bm25', pattern: '' })).toThrow(/empty/)
})
