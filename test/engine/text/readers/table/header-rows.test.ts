import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'

const compress = await loadCompressor()
const read = (lines: readonly string[]): unknown => valuesOf(readText(lines.join('\n'))!)
const cells = (all: readonly (string | number)[]): string =>
  all.map((cell, i) => (i === 0 ? String(cell).padEnd(14) : String(cell).padStart(9))).join('')
const trees = Array.from({ length: 12 }, (_, i) => `Oak tree ${i}`)

it('the next columns of the same rows are a table of their own', () => {
  const text = [
    cells(['', 'height', 'girth', 'age']),
    ...trees.map((name, i) => cells([name, 20 + i, 3.5 + i, 80 + i])),
    cells(['', 'leaves', 'birds']),
    ...trees.map((name, i) => cells([name, 9000 + i, i % 4])),
  ]
  const tables = read(text) as Record<string, string>[][]
  expect(tables.map((table) => table.length)).toEqual([12, 12])
  expect(tables[1]?.[3]).toMatchObject({ leaves: '9003', birds: '3' })
  const shown = compress({ text: text.join('\n'), budget: 170, goal: 'leaves of Oak tree 7' }).text
  expect(shown).toMatch(/leaves[^\n]*\n(?:[^\n]*\n)*?Oak tree 7 +(?:\| )?9007/)
})

it('a header that comes again is none of the rows', () => {
  const page = (from: number): string[] => [
    cells(['name', 'height', 'girth', 'age']),
    ...trees.map((name, i) => cells([name, from + i, 3.5 + i, 80 + i])),
  ]
  const tables = read([...page(20), ...page(60), ...page(90)]) as Record<string, string>[][]
  expect(tables.map((table) => table.length)).toEqual([12, 12, 12])
})

it('rows of words among others are rows', () => {
  const text = [
    cells(['name', 'height', 'girth', 'age']),
    ...trees.map((name, i) =>
      cells([name, ...(i === 5 ? ['NA', 'unknown', 'NA'] : [20 + i, 3.5 + i, 80 + i])]),
    ),
  ]
  expect(read(text)).toHaveLength(12)
})

it('units below names are part of the header', () => {
  const text = [
    cells(['name', 'height', 'girth', 'age']),
    cells(['', '(m)', '(cm)', 'years']),
    ...trees.map((name, i) => cells([name, 20 + i, 350 + i, 80 + i])),
  ]
  expect(read(text)).toHaveLength(12)
  expect((read(text) as object[])[0]).toMatchObject({ 'height (m)': '20', 'age years': '80' })
})

const groups = Array.from({ length: 9 }, (_, i) => `park-${'abcdefghi'[i]}`)
const grouped = [
  '                 trees    birds',
  'park   year                    ',
  ...groups.flatMap((park, i) =>
    Array.from(
      { length: 5 },
      (_, n) =>
        `${n === 0 ? park : '      '} ${2015 + n}  ${String(1000 + i * 37 + n * 211).padStart(9)}${String((i * 7 + n * 3) % 90).padStart(9)}`,
    ),
  ),
]

it('names of rows may stand below the names of columns', () => {
  const rows = read(grouped) as Record<string, string>[]
  expect(rows).toHaveLength(45)
  expect(rows[5]).toEqual({ park: 'park-b', year: '2015', trees: '1037', birds: '7' })
})

it('a row without a first cell is shown below the one that it belongs to', () => {
  for (const goal of [undefined, 'the most trees', 'fewest birds', 'year 2018'])
    for (const budget of [90, 140, 200, 260]) {
      let park = ''
      const shown = compress({
        text: grouped.join('\n'),
        budget,
        ...(goal === undefined ? {} : { goal }),
      }).text
      for (const line of shown.split('\n')) {
        park = /park-\w/.exec(line)?.[0] ?? park
        const [, trees] = /\b20\d\d\b\D+(\d{4})\b/.exec(line) ?? []
        if (trees === undefined || line.startsWith('[')) continue
        const at = grouped.findIndex((row) => row.includes(` ${trees} `))
        expect(grouped.slice(0, at + 1).findLast((row) => row.startsWith('park-'))).toContain(park)
      }
    }
})

it.each(['Trees of the gardens', 'Report'])('a title is neither a row nor a header: %s', (title) => {
  const rows = trees.map((name, i) => cells([name, 20 + i, 80 + i]))
  const found = JSON.stringify(read([title, cells(['name', 'height', 'age']), ...rows]))
  expect(found).toContain('{"name":"Oak tree 0","height":"20","age":"80"}')
})

const payments = Array.from({ length: 24 }, (_, i) => {
  const amount = `${(i * 37) % 900}.10`
  return [
    `${String(1 + i).padStart(2, '0')} May     Payment to shop ${i}`.padEnd(36),
    (i % 4 ? amount : '').padStart(9),
    (i % 4 ? '' : amount).padStart(9),
    `${5000 - i * 11}.00`.padStart(10),
    ...(i % 5 ? [] : [`\n           Ref ${9000 + i}`]),
  ].join('')
})
const statement = [
  'Account statement',
  '',
  'Date       Description                 Debit   Credit   Balance',
  '',
  ...payments,
].join('\n')

it('names above a blank line are those of the rows below it, and lines without a first cell go on with theirs', () => {
  expect(JSON.stringify(valuesOf(readText(statement)!))).toContain(
    '"Description":"Payment to shop 20\\nRef 9020","Debit":"","Credit":"740.10"',
  )
  const shown = compress({ text: statement, budget: 160, goal: 'payment to shop 8' }).text
  expect(shown).toMatch(/Credit/)
  expect(shown).toMatch(/Payment to shop 8 *(?:\| *\| *)296\.10|Credit: 296\.10/)
})
