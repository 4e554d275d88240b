import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { describe, expect, test } from 'vitest'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'
import { sourceOf } from '../../../../../electron/engine/text/tree/json-document.ts'

const read = (text: string): Record<string, string>[] | undefined => {
  const reading = readText(text)
  return reading?.format === 'table' ? (valuesOf(reading) as Record<string, string>[]) : undefined
}
const lines = (...all: string[]) => all.join('\n')

describe('the first row of aligned columns', () => {
  test('is no header where it has ids as the rows below, or begins with their sign', () => {
    const text = lines(
      '  oak/main            d8b66cefb [upstream/oak] Prune in March',
      '  elm/bark            e9f20fccb [upstream/elm: 2 ahead] Add bark',
      '* ash/leaf            c0caa535a [upstream/ash] Count leaves',
      '  fir/cone            95bddab10 [upstream/fir: 88 behind] Weigh cones',
      '  yew/wood            7f2823666 [upstream/yew: gone] Wood',
      '  box/hedge           220db04d0 [upstream/box: 31 ahead] Cut the hedge',
    )
    expect(read(text)).toHaveLength(6)
    expect(JSON.stringify(read(text)?.[2])).toMatch(/"\*".*"ash\/leaf".*"c0caa535a"/)
    const list = Array.from(
      { length: 12 },
      (_, n) => `a${n % 10}c4${n % 7}f07 Tree ${n} was ${n % 2 ? 'cut' : 'grown'}`,
    )
    expect(read(lines(...list))).toHaveLength(12)
  })

  test.each(['$ garden list trees -o wide', 'Trees of  the garden, as of today'])(
    'is below a line that divides fewer columns: %s',
    (title) => {
      const rows = Array.from({ length: 9 }, (_, n) =>
        ['north', `tree-${n}`, `${n}/9`, n === 4 ? 'Felled' : 'Standing', `${n * 7}d`]
          .map((cell) => cell.padEnd(12))
          .join(' '),
      )
      const header = ['PLACE', 'NAME', 'READY', 'STATE', 'AGE'].map((name) => name.padEnd(12)).join(' ')
      const found = read(lines(title, header, ...rows))
      expect(found).toHaveLength(9)
      expect(found?.[4]).toEqual({
        PLACE: 'north',
        NAME: 'tree-4',
        READY: '4/9',
        STATE: 'Felled',
        AGE: '28d',
      })
    },
  )

  test('names a column of shorter numbers that are aligned to its end', () => {
    const rows = [7, 12, 9, 31].map((pid) => `walker    ${String(pid).padStart(2)} ann    idle`)
    expect(read(lines('TASK     PID USER  STATE', ...rows))?.[0]).toMatchObject({ TASK: 'walker', PID: '7' })
  })
})

test('an underlined table ends where lines of another form begin', () => {
  const rows = Array.from({ length: 24 }, (_, n) => `tree-${n}`.padEnd(13) + `${n}.0`)
  const below = [
    'Kind: oak',
    'Words: the oldest of all that are here',
    'Keeper: Ann of the northern garden',
    'Spare: none',
  ]
  const reading = readText(lines('Tree         Age', '-----------  ----', ...rows, ...below))!
  const values = JSON.stringify(valuesOf(reading))
  expect(values).toContain('{"Tree":"tree-8","Age":"8.0"}')
  expect(values).not.toContain('oak')
  const nodes = Array.from({ length: reading.document.count }, (_, node) => node)
  const keeper = nodes.filter((node) => sourceOf(reading.document, node).startsWith('Keeper'))
  expect(reading.print(keeper, (node) => sourceOf(reading.document, node))).toBe(below[2])
})

test('the comma of a number behind words parts no cells', () => {
  const sums = lines(
    'Zwischensumme          30.987,93',
    'Versand              12,90',
    'USt. 19 %           5.890,16',
  )
  expect(JSON.stringify(readText(sums) && valuesOf(readText(sums)!)) ?? '').not.toContain('"93"')
})

test('numbers to the right below longer names are of them, though few rows cross the edge', () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) =>
      `${String((i * 7919) % 4000).padStart(9)} ${`0.${100 + i}`.padStart(8)} ${`0.00${i % 10}`.padStart(8)} module${i}.py:${i}(run)`,
  )
  const text = [
    '   ncalls  tottime  percall filename:lineno(function)',
    ...rows,
    '291161/290967    0.018    0.000 {built-in method len}',
  ].join('\n')
  expect(read(text)?.[3]).toEqual({
    ncalls: '3757',
    tottime: '0.103',
    percall: '0.003',
    'filename:lineno(function)': 'module3.py:3(run)',
  })
})

describe('columns flush right', () => {
  test('have the names that end where their values end, also names that are wider than these', () => {
    const row = (cells: readonly (string | number)[]): string =>
      `${String(cells[0]).padEnd(12)} ${[3, 3, 10, 12, 10].map((width, i) => String(cells[i + 1]).padStart(width)).join(' ')}`
    const rows = Array.from({ length: 64 }, (_, i) => [
      `orders-${i}`,
      1 + (i % 5),
      i % 2,
      4_860_399 + i * 7919,
      i * 770,
      `${i + 8}.${i % 10}mb`,
    ])
    const header = ['index', 'pri', 'rep', 'docs.count', 'docs.deleted', 'store.size']
    expect(read(lines(...[header, ...rows].map(row)))).toEqual(
      rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, String(cells[i])]))),
    )
  })

  test('have the few values that are wider than the others and end with them', () => {
    const rows = Array.from({ length: 60 }, (_, i) => [
      `post ${1000 + i}`,
      i === 40 ? 'unix' : i % 3 ? 'REG' : 'DIR',
      i === 40 ? '0x00000000be6d005a' : `254,${i % 2}`,
      String(4096 * i),
      `/srv/part-${i}`,
    ])
    const row = ([name = '', type = '', device = '', size = '', path = '']: readonly string[]): string =>
      `${name.padEnd(10)} ${type.padStart(9)} ${device.padStart(18)} ${size.padStart(9)} ${path}`
    const found = read(lines(...[['COMMAND', 'TYPE', 'DEVICE', 'SIZE', 'NAME'], ...rows].map(row)))
    expect(found?.[40]).toMatchObject({ TYPE: 'unix', DEVICE: '0x00000000be6d005a', SIZE: '163840' })
  })
})

describe('lines around aligned rows', () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) =>
      `part-${String(i).padEnd(8)} ${String(900 + i * 77).padStart(7)}  ${i % 3 ? 'tree' : 'leaf'}  oak ${i}`,
  )

  test('are no header and no row where they are sentences', () => {
    const text = lines(
      'Sum of parts: 211408 bytes, number of parts: 30',
      ...rows,
      '30 parts, 657392 bytes whole, 200162 bytes cut:  69.6%',
    )
    expect(read(text)).toHaveLength(30)
    expect(Object.values(read(text)?.[1] ?? {})).toEqual(['part-1', '977', 'tree', 'oak', '1'])
  })

  test('are no title where they are indented below the line above them', () => {
    const header = `${'NAME'.padEnd(13)} ${'SIZE'.padStart(7)}  KIND  NOTE`
    const namesOf = (...above: string[]): readonly string[] =>
      readText(lines(...above, header, ...rows))!.document.keyNames
    expect(namesOf('All parts', '')).toContain('All parts')
    expect(namesOf('There are more.', 'These are the parts:', '')).toContain('These are the parts')
    expect(namesOf('Seats can be held', 'Pages come soon', '  61% did', '')).not.toContain('61% did')
  })

  test('are no rows where they are drawn through all columns; below the last of them is a sum', () => {
    const rule = '-'.repeat(60)
    const row = (name: string, blank: number, code: number): string =>
      `${name.padEnd(30)} ${String(blank).padStart(14)} ${String(code).padStart(14)}`
    const files = Array.from({ length: 12 }, (_, i) => row(`./src/part-${i}.ts`, i * 3, 900 - i * 11))
    const text = lines(
      'counted by a tool (644.8 files/s)',
      rule,
      `${'File'.padEnd(30)} ${'blank'.padStart(14)} ${'code'.padStart(14)}`,
      rule,
      ...files,
      rule,
      row('SUM:', 198, 10_074),
      rule,
    )
    expect(read(text)).toHaveLength(12)
    expect(read(text)?.[11]).toEqual({ File: './src/part-11.ts', blank: '33', code: '779' })
  })
})

const compress = await loadCompressor()

test('names that one blank separates, not above their values, name nothing', () => {
  const beds = [
    'Wild garlic 12 cm',
    'Leek of the meadow',
    'Sorrel in one long row 240',
    'Kale',
    'Chard, red',
    'Dill',
  ]
  const rows = Array.from({ length: 46 }, (_, i) => {
    const bed = `${String(i + 1).padStart(17)}     4${i + 100} ${beds[i % 6]!.padEnd(26)}`
    const price = (i * 13.7 + 11).toFixed(2).padStart(14)
    return `${bed} ${String(i + 3).padStart(2)}${price} 20 % ${i * 300 + 100}`
  })
  const document = [
    '                     Nos. Bed-Nos. Plants-kind Count Price-apiec Tax. Amount',
    ...rows,
  ].join('\n')
  const shown = compress({ text: document, goal: 'price of the sorrel', budget: 190 }).text
  expect(shown).toContain(`${rows[2]!.trim()}\n`)
  expect(shown).not.toMatch(/(?:Count|apiec|Tax|Amount): /)
})

test('names that end with their values name them, though one blank separates them', () => {
  const rows = [
    '(all)      35.84600    2.04102  17.563',
    'weight     -3.18140    0.71960  -4.421',
    'power      -0.02312    0.01195  -1.934',
    'size       -3.35902    1.40167  -2.396',
  ]
  const document = ['           Estimate Std. Error   Value'].concat(rows).join('\n')
  expect(valuesOf(readText(document)!)).toMatchObject([
    { Estimate: '35.84600', 'Std. Error': '2.04102' },
    {},
    {},
    {},
  ])
})

test('a title whose words are above columns, but not above values, is above the header', () => {
  const rows = Array.from({ length: 46 }, (_, i) => {
    const counts = `${String(i + 1).padEnd(4)}     0     0 PASS       6    --`
    return `${counts}  *      *       0.0.0.0/0            192.0.2.${i}         tcp dpt:${i + 22}`
  })
  const names = 'num   pkts bytes target     prot opt in     out     source               destination'
  const document = ['Group INPUT (policy DROP 0 packets, 0 bytes)', names, ...rows].join('\n')
  expect(read(document)?.[1]).toMatchObject({ num: '2', target: 'PASS', prot: '6', source: '0.0.0.0/0' })
})

test('rows with lines of one word below each are no table of those words', () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) =>
      `  TCP    0.0.0.0:${4000 + i * 7}           10.0.0.${i}:443      ESTABLISHED     ${900 + i}\n  Service${i % 4}\n [app${i % 5}.exe]`,
  )
  expect(
    read(lines('  Proto  Local Address          Foreign Address    State           PID', ...rows)),
  ).toBeUndefined()
})
