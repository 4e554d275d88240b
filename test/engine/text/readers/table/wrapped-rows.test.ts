import { describe, expect, test } from 'vitest'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'

const read = (text: string): unknown => {
  const reading = readText(text)
  return reading?.format === 'table' ? valuesOf(reading) : undefined
}

const CITIES = ['Graz', 'Linz', 'Wien', 'Bern', 'Genf', 'Oslo', 'Brno', 'Kiel']
const guests = CITIES.map((city, i) => ({
  id: String(i + 1),
  guest: `guest ${i + 1}`,
  note: i % 3 === 1 ? `wants ${city}\nand a bed` : `for ${city}`,
  city,
}))

describe('cells with line breaks', () => {
  test('columns with a blank line below each row', () => {
    const line = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(14)).join('  ')
    const rows = guests.map(({ id, guest, note, city }) => {
      const [first = '', ...rest] = note.split('\n')
      return [line([id, guest, city, first]), ...rest.map((part) => line(['', '', '', part]))].join('\n')
    })
    const header = line(['id', 'guest', 'city', 'note'])
    const rule = line(Array.from({ length: 4 }, () => '-'.repeat(14)))
    expect(read(`${header}\n${rule}\n${rows.join('\n\n')}\n`)).toEqual(guests)
  })

  test.each(['|', '\t'])('unquoted between %j', (delimiter) => {
    const rows = guests.map(({ id, guest, note, city }) => [id, guest, note, city].join(delimiter))
    expect(read(['id', 'guest', 'note', 'city'].join(delimiter) + `\n${rows.join('\n')}\n`)).toMatchObject(
      guests,
    )
  })

  test('short rows stay rows', () => {
    const rows = guests.map(({ id, guest, city }, i) =>
      i === 3 ? `${id}\t${guest}` : `${id}\t${guest}\t${city}\tx`,
    )
    expect(read(`id\tguest\tcity\tnote\n${rows.join('\n')}\n`)).toHaveLength(guests.length)
  })

  test('blank lines between groups of rows stay', () => {
    const part = (from: number): string =>
      guests
        .slice(from, from + 4)
        .map(({ id, guest, city }) => `${id.padEnd(4)}  ${guest.padEnd(8)}  ${city}`)
        .join('\n')
    expect(
      read(
        `id    guest     city\n----  --------  ----\n${part(0)}\n\nid    guest     city\n----  --------  ----\n${part(4)}\n`,
      ),
    ).toHaveLength(2)
  })
})
