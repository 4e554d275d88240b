import { expect, test } from 'vitest'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'
import { tableReader } from '../../../../../electron/engine/text/readers/table.ts'
import * as fc from '../../../../helpers/properties.ts'

const word = fc.constantFrom('SALES', 'Lille', '7839', '03-NOV-15', 'two words', 'x')
/** By line of a row: the widths of its columns. */
const widths = fc.array(fc.array(fc.integer({ min: 9, max: 16 }), { minLength: 2, maxLength: 4 }), {
  minLength: 2,
  maxLength: 3,
})
const gaps = fc.constantFrom('\n', '\n\n')
const folded = fc.tuple(widths, gaps, fc.integer({ min: 1, max: 3 })).chain(([lines, gap, pages]) =>
  fc.record({
    lines: fc.constant(lines),
    gap: fc.constant(gap),
    pages: fc.array(
      fc.array(fc.array(word, { minLength: lines.flat().length, maxLength: lines.flat().length }), {
        minLength: 4,
        maxLength: 9,
      }),
      { minLength: pages, maxLength: pages },
    ),
  }),
)

test('rows of several lines below as many lines of names are read as rows of all columns', () => {
  fc.assert(
    fc.property(folded, ({ lines, gap, pages }) => {
      const width = lines.flat().length
      const names = Array.from({ length: width }, (_, column) => `NAME${column}`)
      const write = (cells: readonly string[]): string[] => {
        let at = 0
        return lines.map((columns) =>
          columns
            .map((each) => (cells[at++] ?? '').padEnd(each))
            .join(' ')
            .trimEnd(),
        )
      }
      const rules = lines.map((columns) => columns.map((each) => '-'.repeat(each)).join(' '))
      const head = write(names).flatMap((line, at) => [line, rules[at] ?? ''])
      const text = pages
        .map((rows) => [...head, rows.map((cells) => write(cells).join('\n')).join(gap)].join('\n'))
        .join('\n\n')
      const reading = tableReader.read(text)
      const read = reading === undefined ? [] : valuesOf(reading)
      const lists = pages.length === 1 ? [read] : Object.values(read as Record<string, unknown[]>)
      expect(lists.flat()).toEqual(
        pages.flat().map((cells) => Object.fromEntries(names.map((name, column) => [name, cells[column]]))),
      )
    }),
  )
})
