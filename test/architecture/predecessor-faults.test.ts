import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Table rows: `| fault | `file`: words of the test's name |`. */
const rows = readFileSync(join(root, 'docs/predecessor-faults.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const match = /^\| (.+) \| `([^`]+\.test\.ts)`: (.+) \|$/.exec(line)
    return match ? [{ fault: match[1] ?? '', file: match[2] ?? '', words: match[3] ?? '' }] : []
  })

test('the list is read at all, and names a test in every line', () => {
  expect(rows.length).toBeGreaterThan(70)
  const lines = readFileSync(join(root, 'docs/predecessor-faults.md'), 'utf8').split('\n')
  const tableLines = lines.filter((line) => /^\| (?!fault)/.test(line))
  expect(tableLines).toHaveLength(rows.length)
})

test.each(rows)('$fault', ({ file, words }) => {
  expect(readFileSync(join(root, 'test', file), 'utf8')).toContain(words)
})
