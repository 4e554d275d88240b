import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'

const compress = await loadCompressor()
const row = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => String(cell).padStart(9)).join('')
const at = (second: number): string => `09:15:${String(second).padStart(2, '0')}`
const section = (header: string, stamp: string, second: number): string =>
  [
    `${header}${row(['CPU', '%user', '%idle'])}`,
    `${stamp}${row(['all', 20 + second, 80 - second])}`,
    '',
    `${header}${row(['kbfree', 'kbused', '%used'])}`,
    `${stamp}${row([4000 - second, 500 + second, second === 0 ? 12.5 : 17])}`,
    '',
    `${header}${row(['IFACE', 'rx/s', 'tx/s'])}`,
    ...['lo', 'eth0'].map((name) => `${stamp}${row([name, second * 2, 0])}`),
    '',
  ].join('\n')
const text = [
  'Linux 6.1 (vm)\n',
  ...Array.from({ length: 12 }, (_, i) => section(at(i), at(i + 1), i + 1)),
  section('Average:', 'Average:', 0),
].join('\n')

test('tables whose headers begin with a time, or with what replaces it, have its column and their names', () => {
  const tables = valuesOf(readText(text)!) as Record<string, string>[][]
  expect(tables).toHaveLength(39)
  expect(tables[0]).toEqual([{ time: at(1), CPU: 'all', '%user': '21', '%idle': '79' }])
  expect(tables[38]?.[1]).toEqual({ time: 'Average:', IFACE: 'eth0', 'rx/s': '0', 'tx/s': '0' })
})

test('rows of averages are shown below their names', () => {
  const shown = compress({ text, goal: 'how full was the memory on average in percent', budget: 160 }).text
  expect(shown).toMatch(/Average: +kbfree +kbused +%used\nAverage: +4000 +500 +12\.5/)
})

test('a header that comes again above few rows names their columns, and a label has a gap below it', () => {
  const names = ['Device', 'r/s', 'rkB/s', 'w/s', 'wkB/s', 'aqu-sz', '%util']
  const report = Array.from({ length: 6 }, (_, i) => [
    'avg-cpu:  %user   %nice %system   %idle',
    `          ${20 + i}.10    0.00    3.${i}0   70.00`,
    '',
    row(names),
    ...['vda', 'vdb'].map((name) =>
      row([name, `${i}.50`, `${i * 9}.00`, '7.10', '40.00', '0.10', `${i * 3}.25`]),
    ),
    '',
  ])
  const text = ['Linux 6.1 (vm)', '', ...report.flat()].join('\n')
  const tables = valuesOf(readText(text)!) as Record<string, string>[][]
  expect(JSON.stringify(tables)).toContain('{"Device":"vdb","r/s":"3.50","rkB/s":"27.00"')
  expect(JSON.stringify(tables)).toContain('"%user":"23.10","%nice":"0.00"')
  const shown = compress({ text, goal: 'utilisation of vdb at its highest', budget: 200 }).text
  expect(shown).toContain('15.25')
  expect(shown).toContain('%util')
})
