import { describe, expect, test } from 'vitest'
import { tableReader } from '../../../../../electron/engine/text/readers/table.ts'
import { partRows } from '../../../../../electron/engine/text/readers/table/part-rows.ts'
import type { Filled, PrintCosts } from '../../../../../electron/engine/text/readers/table/part-rows.ts'
import {
  isLeaf,
  keyOf,
  shownNameOf,
  valueOf,
} from '../../../../../electron/engine/text/tree/json-document.ts'
import * as fc from '../../../../helpers/properties.ts'

const WIDTH = 5
const columns = fc.uniqueArray(fc.integer({ min: 0, max: WIDTH - 1 }), { minLength: 1 })
const records = fc.array(
  fc.tuple(columns, columns).map(([chosen, more]): Filled => ({
    chosen: chosen.toSorted((one, other) => one - other),
    given: new Set([...chosen, ...more]),
  })),
  { minLength: 1, maxLength: 7 },
)
const costs: PrintCosts = { names: [150, 300, 200, 500, 250], cut: 160, gap: 90, part: 300 }

/** Of one part, written without the short cuts of the function that is tested. */
function costOf(part: readonly Filled[]): number {
  const used = new Set(part.flatMap(({ chosen }) => chosen))
  let named = 0
  let table = [...used].reduce((sum, column) => sum + (costs.names[column] ?? 0), 0)
  for (const { chosen, given } of part) {
    const own =
      chosen.reduce((sum, column) => sum + (costs.names[column] ?? 0), 0) +
      (chosen.length < given.size ? costs.cut : 0)
    named += own
    const holes = [...used].filter((column) => !chosen.includes(column))
    table += Math.min(
      own,
      holes.reduce((sum, column) => sum + (given.has(column) ? costs.cut : costs.gap), 0),
    )
  }
  return 300 + Math.min(named, table)
}

describe('parts of rows', () => {
  test('are the cheapest of all that keep the order', () => {
    fc.assert(
      fc.property(records, (list) => {
        const parts = partRows(list, costs)
        expect(parts.flatMap(({ from, to }) => list.slice(from, to))).toEqual(list)
        const cost = parts.reduce((sum, { from, to }) => sum + costOf(list.slice(from, to)), 0)
        for (let cuts = 0; cuts < 2 ** (list.length - 1); cuts++) {
          const ends = list
            .map((_, at) => at + 1)
            .filter((end) => end === list.length || (cuts >> (end - 1)) & 1)
          const other = ends.reduce((sum, end, at) => sum + costOf(list.slice(ends[at - 1] ?? 0, end)), 0)
          expect(cost).toBeLessThanOrEqual(other)
        }
      }),
    )
  })

  test('stay one where nothing names the columns', () => {
    fc.assert(
      fc.property(records, (list) => {
        expect(partRows(list, { ...costs, part: undefined })).toHaveLength(1)
      }),
    )
  })
})

test('rows of two columns are no wider for a whole one above them, and stand below a header of their own', () => {
  const names = Array.from({ length: 12 }, (_, column) => `name${column}`)
  const row = (id: number): string[] => names.map((_, column) => `v${id}x${column}`)
  const text = [names, ...Array.from({ length: 30 }, (_, id) => row(id))]
    .map((cells) => cells.join(','))
    .join('\n')
  const reading = tableReader.read(text)
  if (reading === undefined) throw new Error('No table was read.')
  const { document } = reading
  const chosen = Array.from({ length: document.count }, (_, node) => node).filter(
    (leaf) =>
      isLeaf(document, leaf) &&
      (valueOf(document, leaf).startsWith('v3x') ||
        /^name[05]$/.test(shownNameOf(document, keyOf(document, leaf)))),
  )
  expect(reading.print(chosen, (leaf) => valueOf(document, leaf)).split('\n')).toEqual([
    'name0,name5,…',
    ...[0, 1, 2].map((id) => `v${id}x0,v${id}x5`),
    '',
    names.join(','),
    row(3).join(','),
    '',
    'name0,name5,…',
    ...Array.from({ length: 26 }, (_, id) => `v${id + 4}x0,v${id + 4}x5`),
  ])
})
