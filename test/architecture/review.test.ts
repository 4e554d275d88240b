import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Each row of docs/review-2026-11.md names a test: `test/FILE.test.ts` › words of its name; more words; … › words of
 * another in the same file. Words with an ellipsis or values count as the pieces around them.
 */

const root = join(import.meta.dirname, '../..')

const rows = readFileSync(join(root, 'docs/review-2026-11.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!fault \||what broke unnoticed \|)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
  .map(([fault = '', cell = '', done = '']) => ({
    fault: fault.trim(),
    cell: cell.trim(),
    done: done.trim(),
  }))

const FILE = /`?((?:[\w-]+\/)*[\w.-]+\.test\.ts)`?/
/** Rows whose tests are commands or other rows, or that are open; the last column has to explain them. */
const WITHOUT_FILE = /^(?:–|`(?:npm run|node) .+|the (?:rows|tests) .+)$/

/** Each file in a cell, with the words after it. */
function named(cell: string): { file: string; words: string[] }[] {
  const [, ...parts] = cell.split(new RegExp(FILE.source, 'g'))
  return parts.flatMap((file, index) =>
    index % 2 === 0
      ? [{ file, words: (parts[index + 1] ?? '').split(/[›;…]|%\w|\$\w+|`(?:npm run|test\/bench).+/) }]
      : [],
  )
}

const trimmed = (words: string): string => words.replaceAll(/^[\s,`]+|[\s,`]+$/g, '')

test('every row says what was done, and names a test or why there is none', () => {
  expect(rows.length).toBeGreaterThan(80)
  for (const { fault, cell, done } of rows) {
    expect(fault).not.toBe('')
    if (!FILE.test(cell)) expect(cell, fault).toMatch(WITHOUT_FILE)
    if (cell === '–') expect(done, fault).not.toBe('')
  }
})

test.each(rows.filter(({ cell }) => FILE.test(cell)))('$fault: $cell', ({ cell }) => {
  for (const { file, words } of named(cell)) {
    const path = join(root, file)
    expect(existsSync(path), `${file} is there`).toBe(true)
    const text = readFileSync(path, 'utf8')
    for (const piece of words.map(trimmed)) if (piece !== '') expect(text).toContain(piece)
  }
})
