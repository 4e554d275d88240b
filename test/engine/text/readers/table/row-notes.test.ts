import * as fc from '../../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { showRecords } from '../../../../../electron/engine/compression/records/show-records.ts'
import { tableReader } from '../../../../../electron/engine/text/readers/table.ts'
import { sourceLines } from '../../../../../electron/engine/text/readers/source-lines.ts'
import { takeRowNotes } from '../../../../../electron/engine/text/readers/table/row-notes.ts'

interface Job {
  readonly id: number
  readonly state: string
  readonly note: string | undefined
}
const jobs = fc
  .array(
    fc.record({
      state: fc.constantFrom('queued', 'failed', 'done'),
      note: fc.option(fc.integer({ min: 1000, max: 9999 }), { nil: undefined }),
    }),
    { minLength: 12, maxLength: 60 },
  )
  .map((list): Job[] =>
    list.map(({ state, note }, id) => ({
      id,
      state,
      note: note === undefined || id % 3 > 0 ? undefined : `-- retried by hand, see ticket ${note}`,
    })),
  )
const forms = {
  drawn(list: readonly Job[]): string {
    const rule = '+------+----------+---------+'
    const row = (cells: readonly string[]): string =>
      `| ${cells.map((cell, i) => cell.padEnd([4, 8, 7][i] ?? 0)).join(' | ')} |`
    const body = list.flatMap(({ id, state, note }) => [
      row([`${id}`, `job-${id}`, state]),
      ...(note === undefined ? [] : [`    ${note}`]),
    ])
    return [rule, row(['id', 'name', 'state']), rule, ...body, rule].join('\n')
  },
  aligned(list: readonly Job[]): string {
    const row = (cells: readonly string[]): string =>
      cells.map((cell, i) => cell.padEnd([8, 12, 0][i] ?? 0)).join('')
    const body = list.flatMap(({ id, state, note }) => [
      row([`${id}`, `job-${id}`, state]),
      ...(note === undefined ? [] : [`    ${note}`]),
    ])
    return [row(['ID', 'NAME', 'STATE']), ...body].join('\n')
  },
}

describe.each(Object.entries(forms))('notes between rows of a table that is %s', (_, write) => {
  test('leave the rows and their header as they are without notes', () => {
    fc.assert(
      fc.property(jobs, (list) => {
        const bare = tableReader.read(write(list.map((job) => ({ ...job, note: undefined }))))
        const noted = tableReader.read(write(list))
        const all = (reading: typeof bare): string =>
          reading === undefined ? '' : (showRecords(reading, undefined, 100_000)?.text ?? '')
        const withoutNotes = all(noted)
          .split('\n')
          .filter((line) => !line.includes('ticket'))
        expect(withoutNotes).toEqual(all(bare).split('\n'))
        expect(noted?.explained).toBeGreaterThan(0.9)
      }),
      { numRuns: 50 },
    )
  })

  test('come with the row above them, and it with them', () => {
    const list = Array.from({ length: 90 }, (_, id) => ({
      id,
      state: id % 2 ? 'done' : 'queued',
      note: id % 10 === 7 ? `-- retried by hand, see ticket ${5000 + id}` : undefined,
    }))
    const reading = tableReader.read(write(list))!
    const lines = showRecords(reading, 'ticket 5047', 120)?.text.split('\n') ?? []
    const at = lines.findIndex((line) => line.includes('ticket 5047'))
    expect(lines[at - 1]).toContain('job-47')
  })
})

test('deeper lines whose words are in no column are notes; rows whose numbers are on the right are none', () => {
  const row = (name: string, state: string, age: string): string =>
    `${name.padEnd(10)}${state.padEnd(18)}${age}`
  const pods = [
    row('NAME', 'STATUS', 'AGE'),
    row('web-1', 'Running', '4d'),
    row('web-2', 'CrashLoopBackOff', '3d'),
    '  Warning  BackOff  4m  kubelet  Back-off restarting the container',
    row('web-3', 'Running', '5d'),
    row('web-4', 'Running', '5d'),
  ]
  expect(takeRowNotes(sourceLines(pods.join('\n'))).notes).toHaveLength(1)
  const sizes = [
    'SIZE  NAME  OWNER',
    '1200  a     ann',
    '1201  b     bob',
    '  12  c     ann',
    '   9  d     eve',
    '1100  e     ann',
  ]
  expect(takeRowNotes(sourceLines(sizes.join('\n'))).notes).toEqual([])
})

test.each([
  'name     what\ntown     a place\n         that is large\nriver    water\n         that flows\nsea      salt water\nlake     fresh water',
  'Steps:\n  first do this\n  then do that\nEnd',
  'a sentence of words\n    another one that is deeper\nand a third sentence\n    and a fourth one\nand so on',
])('lines that go on with a column, and those of no table, are no notes', (text) => {
  expect(takeRowNotes(sourceLines(text)).notes).toEqual([])
})

test('source that is quoted with marks below it is no table', () => {
  const faults = ['no root', 'this branch is never cut', 'leaf is declared twice in one tree']
  const quoted = (n: number): string =>
    [
      `orchard.pas:${n}:7: error: ${faults[n % 3]}`,
      `${String(n).padStart(5)} | plant(tree${n}, root)`,
      '      |       ^~~~',
    ].join('\n')
  const text = Array.from({ length: 9 }, (_, n) => quoted(n + 1)).join('\n')
  expect(tableReader.read(text)).toBeUndefined()
})
