import { expect, test } from 'vitest'
import { findOmitted } from '../../../electron/engine/screens/compare-texts.ts'

test('groups neighbouring lines that are not there, and counts them from 1', () => {
  const found = findOmitted('a one\nb two\nc three\nd four\ne five', 'a one\n…\nd four')
  expect(found).toEqual({
    unit: 'line',
    lines: 3,
    parts: [
      { fromLine: 2, toLine: 3, lines: 2, excerpt: 'b two\nc three' },
      { fromLine: 5, toLine: 5, lines: 1, excerpt: 'e five' },
    ],
  })
})

test('JSON in one line is compared by the lines of its indented form', () => {
  const original = JSON.stringify({ kept: 1, gone: { deep: 'x' } })
  const { unit, parts } = findOmitted(original, '{"kept":1}')
  expect(unit).toBe('indented-line')
  expect(parts.map(({ excerpt }) => excerpt).join()).toContain('deep')
  expect(parts.map(({ excerpt }) => excerpt).join()).not.toContain('kept')
})

test('a page in one long line is not called left out as a whole', () => {
  const sentences = Array.from({ length: 60 }, (_, index) => `Sentence ${index} says something.`)
  const { unit, lines, parts } = findOmitted(sentences.join(' '), sentences.slice(0, 20).join(' '))
  expect({ unit, lines }).toEqual({ unit: 'passage', lines: 40 })
  expect(parts).toHaveLength(1)
  expect(parts[0]?.excerpt).toMatch(/^Sentence 20 /)
})

test('tags of HTML in one line are passages, too', () => {
  const rows = Array.from({ length: 40 }, (_, index) => `<li>item number ${index}</li>`)
  const { lines } = findOmitted(rows.join(''), 'item number 3\n<li>item number 7</li>')
  expect(lines).toBe(39)
})

test('everything is there', () => {
  expect(findOmitted('short', 'short')).toEqual({ unit: 'line', lines: 0, parts: [] })
})
