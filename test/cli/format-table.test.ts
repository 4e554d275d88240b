import { expect, test } from 'vitest'
import { formatTable, widthOf } from '../../electron/cli/format-table.ts'

const rows = [
  { name: 'a-server-with-a-very-long-name', folder: '/home/me/a/long/folder', calls: 1_234_567 },
  { name: 'b', folder: '/', calls: 2 },
]
const columns = [
  { title: 'server', value: ({ name }: (typeof rows)[number]) => name },
  { title: 'folder', value: ({ folder }: (typeof rows)[number]) => folder },
  { title: 'calls', value: ({ calls }: (typeof rows)[number]) => calls, right: true },
]

test('a table fits its terminal: the widest texts are cut first, numbers never', () => {
  const lines = formatTable(rows, columns, 50).split('\n')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(50)
  expect(lines[1]).toMatch(/^a-server-with-\S*…  \/home\/me\S*…  1,234,567$/)
})

test('nothing is cut where it fits, in a pipe, and below what a name needs', () => {
  const whole = formatTable(rows, columns)
  expect(whole).toContain('a-server-with-a-very-long-name  /home/me/a/long/folder  1,234,567')
  expect(formatTable(rows, columns, 200)).toBe(whole)
  expect(formatTable(rows, columns, 5).split('\n')[1]).toBe('a-serve…  /home/m…  1,234,567')
  expect(widthOf({ columns: 80 })).toBe(Infinity)
  expect(widthOf({ isTTY: true, columns: 80 })).toBe(80)
})

test('what a command takes is whole where other texts are cut', () => {
  const [server, ...others] = columns
  const lines = formatTable(rows, server ? [{ ...server, isWhole: true }, ...others] : [], 40).split('\n')
  expect(lines[1]).toBe('a-server-with-a-very-long-name  /home/m…  1,234,567')
})
