import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Rows of the tables of docs/failures.md, without headings. */
const lines = readFileSync(join(root, 'docs/failures.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!no\. \||failure \|)/.test(line))

const rows = lines.flatMap((line) => {
  const [, failure, file, words] = /^\| (.+) \| `([^`]+\.test\.ts)`: (.+) \|$/.exec(line) ?? []
  return failure && file && words ? [{ failure, file, words }] : []
})

test('every line names a test, or says that there is none', () => {
  const others = lines.filter((line) => !/`[^`]+\.test\.ts`: .+ \|$/.test(line))
  expect(rows).toHaveLength(lines.length - others.length)
  for (const line of others) expect(line).toMatch(/\| none\b[^|]* \|$/)
  expect(rows.length).toBeGreaterThan(45)
})

test('none of the 28 known failures is left out', () => {
  const numbers = new Set(lines.flatMap((line) => /^\| (\d+) \|/.exec(line)?.[1] ?? []))
  expect([...numbers].map(Number)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1))
})

test.each(rows)('$failure', ({ file, words }) => {
  expect(readFileSync(join(root, 'test', file), 'utf8')).toContain(words)
})
