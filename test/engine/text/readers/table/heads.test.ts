import { describe, expect, test } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { sourceLines } from '../../../../../electron/engine/text/readers/source-lines.ts'
import { findHeads } from '../../../../../electron/engine/text/readers/table/heads.ts'
import * as fc from '../../../../helpers/properties.ts'

const compress = await loadCompressor()

interface Group {
  readonly name: string
  readonly rows: readonly { readonly line: number; readonly level: string; readonly word: string }[]
}
const WORDS = ['ledger', 'invoice', 'cursor', 'packet', 'mailer', 'quota', 'lease']
const groups = fc.array(
  fc.array(
    fc.record({
      line: fc.integer({ min: 1, max: 999 }),
      level: fc.constantFrom('error', 'warning'),
      word: fc.constantFrom(...WORDS),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  { minLength: 12, maxLength: 24 },
)
const named = (all: readonly Group['rows'][]): Group[] =>
  all.map((rows, i) => ({ name: `${WORDS[i % WORDS.length]}-${i}`, rows }))

/** What each row says is its own, so that its line in the source is known. */
const idOf = (group: number, row: number): string => `rule-${group}-${row}`

type Row = (row: Group['rows'][number], id: string) => string
const gapped: Row = ({ line, level, word }, id) =>
  `${`${line}:1`.padEnd(8)}${level.padEnd(10)}${`the ${word} is unknown`.padEnd(28)}${id}`
const FORMS: Record<string, { readonly head: (name: string) => string; readonly row: Row; gap: string }> = {
  'files above indented findings': {
    head: (name) => `src/${name}.ts`,
    row: (row, id) => `  ${gapped(row, id)}`,
    gap: '\n',
  },
  'files without blank lines': {
    head: (name) => `src/${name}.ts`,
    row: (row, id) => `  ${gapped(row, id)}`,
    gap: '',
  },
  'names in brackets': { head: (name) => `[queue ${name}]`, row: gapped, gap: '' },
  'titles above each header': {
    head: (name) =>
      `Share ${name} on server fs1\n${'At'.padEnd(8)}${'Level'.padEnd(10)}${'Text'.padEnd(28)}Rule`,
    row: gapped,
    gap: '',
  },
  'tasks above rows without gaps': {
    head: (name) => `TASK [common : ${name}] ******`,
    row: ({ level, word }, id) => `${level}: [${word}] => (item=${id})`,
    gap: '\n',
  },
}

describe.each(Object.entries(FORMS))('%s', (_, { head, row, gap }) => {
  const write = (all: readonly Group[]): string =>
    all
      .map(
        ({ name, rows }, i) => `${[head(name), ...rows.map((one, j) => row(one, idOf(i, j)))].join('\n')}\n`,
      )
      .join(gap)

  test('a row is printed below its own head', () => {
    fc.assert(
      fc.property(groups, fc.nat(), (lists, pick) => {
        const all = named(lists)
        const heads = all.map(({ name }) => head(name).split('\n', 1)[0])
        const asked = pick % all.length
        for (const goal of [undefined, `What is ${idOf(asked, 0)}?`])
          for (const budget of [150, 300, 600]) {
            let above = -1
            for (const line of compress({ text: write(all), budget, goal })
              .text.split('\n')
              .slice(1)) {
              const found = heads.indexOf(line.replace(/^×[\d,]+ (?:in all )?(?:like )?/, ''))
              if (found >= 0) above = found
              // A mark in a head's place, or in a head.
              if (found < 0 && line.includes('…') && !line.includes('rule-')) above = -1
              const [, group] = /rule-(\d+)-\d+/.exec(line) ?? []
              if (group !== undefined && !line.startsWith('×') && above >= 0)
                expect(above, line).toBe(Number(group))
            }
          }
      }),
      { numRuns: 15 },
    )
  })
})

const headsIn = (text: string): string[] => {
  const lines = sourceLines(text)
  return [...findHeads(lines)].map((line) => text.slice(lines.starts[line], lines.stops[line]))
}

test.each([
  [
    'notes below rows',
    'Job   User   State\n1     ann    done\n  lost node\n2     bo     done\n  lost node\n',
  ],
  [
    'rows wrapped behind a long name',
    'Name      Size  Used\n/dev/long\n          12    10\n/dev/more\n          15    11\n',
  ],
  [
    'titles of different tables',
    'Sizes:\n  a  1\n  b  2\n\nKey to flags:\n  w  write\n  x  run\n\nNames of hosts:\n  h  3\n',
  ],
])('%s are no heads', (_, text) => {
  expect(headsIn(text)).toEqual([])
})
