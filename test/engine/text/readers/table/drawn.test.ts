import { describe, expect, test } from 'vitest'
import { recordsStrategy } from '../../../../../electron/engine/compression/strategies/records.ts'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'

const read = (text: string): unknown => {
  const reading = readText(text)
  return reading?.format === 'table' ? valuesOf(reading) : undefined
}

describe('wrapped cells are of the row above', () => {
  const expected = [
    { id: '1', who: 'ann', note: 'first\nand second\nand third' },
    { id: '2', who: 'bob', note: 'alone' },
    { id: '3', who: 'eve', note: 'C+' },
  ]

  test.each([
    [
      'psql',
      ' id | who |    note     \n----+-----+-------------\n  1 | ann | first      +\n    |     | and second +\n    |     | and third\n  2 | bob | alone\n  3 | eve | C+\n',
    ],
    [
      'psql with a column behind them',
      ' id |    note     | who \n----+-------------+-----\n  1 | first      +| ann\n    | and second +| \n    | and third   | \n  2 | alone       | bob\n  3 | C+          | eve\n',
    ],
    [
      'boxes',
      '┌────┬─────┬────────────┐\n│ id │ who │ note       │\n├────┼─────┼────────────┤\n│ 1  │ ann │ first      │\n│    │     │ and second │\n│    │     │ and third  │\n│ 2  │ bob │ alone      │\n│ 3  │ eve │ C+         │\n└────┴─────┴────────────┘',
    ],
    [
      'Markdown without blanks',
      '|id|who|note|\n|--|--|--|\n|1|ann|first|\n|||and second|\n|||and third|\n|2|bob|alone|\n|3|eve|C+|\n',
    ],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual(expected)
  })

  test('also those of the header', () => {
    const text =
      '+------+-----------+\n| name | requests  |\n|      | per hour  |\n+======+===========+\n| api  | 120       |\n+------+-----------+\n| web  | 80        |\n+------+-----------+'
    expect(read(text)).toEqual([
      { name: 'api', 'requests per hour': '120' },
      { name: 'web', 'requests per hour': '80' },
    ])
  })

  test('names in the upper edge of a box are its header, with numbers of rows before it or without', () => {
    const box =
      '┌─shelf─┬──────books─┬─by──┐\n│ north │        512 │ eve │\n│ south │       1204 │ kim │\n└───────┴────────────┴─────┘'
    const rows = [
      { shelf: 'north', books: '512', by: 'eve' },
      { shelf: 'south', books: '1204', by: 'kim' },
    ]
    expect(read(box)).toEqual(rows)
    const numbered = box.split('\n').map((line, i) => (i === 1 || i === 2 ? `${i}. ` : '   ') + line)
    expect(read(numbered.join('\n'))).toEqual(rows.map((row, i) => ({ column1: `${i + 1}.`, ...row })))
  })

  test('but not rows below a rule, nor those of a group that has its name once', () => {
    const ruled =
      '+----+-----+------+\n| id | who | note |\n+----+-----+------+\n| 1  | ann | x    |\n+----+-----+------+\n|    |     | y    |\n+----+-----+------+'
    expect(read(ruled)).toHaveLength(2)
    const grouped =
      '| group | what | count |\n|---|---|---|\n| a | x | 1 |\n| | y | 2 |\n| b | z | 3 |\n| | w | 4 |'
    expect(read(grouped)).toHaveLength(4)
  })

  test('are printed in lines of their own, in their columns', () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      i % 4 === 0
        ? `| ${i} | item ${i} | begins ${i} |\n| | | ends ${i} |`
        : `| ${i} | item ${i} | whole ${i} |`,
    )
    const text = ['| id | name | about |', '|---|---|---|', ...rows].join('\n')
    const shown =
      recordsStrategy.compress({ text, goal: 'what is said about item 32', budget: 120 })?.text ?? ''
    expect(shown).toContain('32 | item 32 | begins 32\n |  | ends 32')
  })
})

test('bars in cells are told from those between cells', () => {
  const rule = '+----+----------------------+-------+'
  const rows = Array.from(
    { length: 60 },
    (_, i) => `| ${`${i}`.padEnd(2)} | ${`cat ${i} | sort | uniq`.padEnd(20)} | ${`u${i % 7}`.padEnd(5)} |`,
  )
  const text = [rule, '| id | command              | user  |', rule, ...rows, rule].join('\n')
  const shown = recordsStrategy.compress({ text, goal: 'who ran cat 41', budget: 120 })?.text ?? ''
  expect(shown).toContain('41 │ cat 41 | sort | uniq │ u6')
  expect(shown).toMatch(/^id │ command │ user$/m)
})

test('a first row of one cell is the title of the table', () => {
  const row = (name: string, state: string): string => `|  ${name.padEnd(10)}|  ${state.padEnd(9)}|`
  const rule = '+------------+-----------+'
  const rows = Array.from({ length: 40 }, (_, i) => row(`i-0${i}`, i % 9 === 4 ? 'stopped' : 'running'))
  const text = [
    '--------------------------',
    '|    DescribeInstances   |',
    rule,
    row('Id', 'State'),
    rule,
    ...rows,
    rule,
  ].join('\n')
  expect(read(text)).toHaveLength(40)
  const shown = recordsStrategy.compress({ text, goal: 'which is stopped', budget: 120 })?.text ?? ''
  expect(shown).toMatch(/^DescribeInstances\nId \| State\n/)
  expect(shown).toContain('i-013 | stopped')
})

test('tables of results that follow each other without a blank line end at the rules between them', () => {
  const table = (header: string, ...rows: string[]): string => {
    const rule = header.replaceAll(/[^|]/g, '-').replaceAll('|', '+')
    return [rule, header, rule, ...rows, rule].join('\n')
  }
  const visits = Array.from({ length: 20 }, (_, i) => `| ${i + 10} | guest ${i + 10} | Emergency |`)
  const text = [
    table('| id | name     | ward      |', ...visits),
    table('| item    | qty |', '| aspirin | 366 |', '| insulin |   0 |', '| gauze   | 150 |'),
    table('| Type | Status |', '| Inno |        |'),
  ].join('\n')
  expect(read(text)).toEqual([
    visits.map((_, i) => ({ id: `${i + 10}`, name: `guest ${i + 10}`, ward: 'Emergency' })),
    [
      { item: 'aspirin', qty: '366' },
      { item: 'insulin', qty: '0' },
      { item: 'gauze', qty: '150' },
    ],
    [{ Type: 'Inno' }],
  ])
})

test('names between doubled bars are the header of rows between single ones', () => {
  const rows = Array.from({ length: 9 }, (_, i) => `|host-${i}|${i % 2 ? 'web' : 'db'}|${i * 8}|`)
  const reading = readText(['h2. Hosts', '', '||Host||Role||Memory GB||', ...rows].join('\n'))
  expect(JSON.stringify(valuesOf(reading!))).toContain('{"Host":"host-3","Role":"web","Memory GB":"24"}')
})
