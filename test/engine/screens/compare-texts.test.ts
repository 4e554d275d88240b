import { expect, test } from 'vitest'
import { comparePassages } from '../../../electron/engine/screens/compare-texts.ts'

const omitted = (original: string, sent: string): string[] =>
  comparePassages({ original, sent }).passages.flatMap(({ isKept, text }) => (isKept ? [] : [text]))

test('runs of kept and omitted lines follow each other in the order of the original, counted from 1', () => {
  expect(
    comparePassages({ original: 'a one\nb two\nc three\nd four\ne five', sent: 'a one\n…\nd four' }),
  ).toEqual({
    unit: 'line',
    omittedLines: 3,
    furtherLines: 0,
    passages: [
      { isKept: true, fromLine: 1, lines: 1, text: 'a one', isCut: false },
      { isKept: false, fromLine: 2, lines: 2, text: 'b two\nc three', isCut: false },
      { isKept: true, fromLine: 4, lines: 1, text: 'd four', isCut: false },
      { isKept: false, fromLine: 5, lines: 1, text: 'e five', isCut: false },
    ],
  })
})

test('JSON in one line is compared by the lines of its indented form', () => {
  const original = JSON.stringify({ kept: 1, gone: { deep: 'x' } })
  expect(comparePassages({ original, sent: '{"kept":1}' }).unit).toBe('indented-line')
  expect(omitted(original, '{"kept":1}').join()).toContain('deep')
  expect(omitted(original, '{"kept":1}').join()).not.toContain('kept')
})

test('a page in one long line is not called left out as a whole', () => {
  const sentences = Array.from({ length: 60 }, (_, index) => `Sentence ${index} says something. `)
  const original = sentences.join('')
  const found = comparePassages({ original, sent: sentences.slice(0, 20).join('') })
  expect({ unit: found.unit, lines: found.omittedLines }).toEqual({ unit: 'passage', lines: 40 })
  expect(found.passages.map(({ isKept }) => isKept)).toEqual([true, false])
  expect(found.passages.map(({ text }) => text).join('')).toBe(original)
})

test('tags of HTML in one line are passages, too', () => {
  const rows = Array.from({ length: 40 }, (_, index) => `<li>item number ${index}</li>`)
  const sent = 'item number 3\n<li>item number 7</li>'
  expect(comparePassages({ original: rows.join(''), sent }).omittedLines).toBe(39)
})

test('everything is there', () => {
  const { passages, omittedLines } = comparePassages({ original: 'short', sent: 'short' })
  expect({ passages, omittedLines }).toEqual({
    omittedLines: 0,
    passages: [{ isKept: true, fromLine: 1, lines: 1, text: 'short', isCut: false }],
  })
})

test('of a huge original every kept line is there, and glimpses of what was left out at the end', () => {
  const lines = Array.from({ length: 21_000 }, (_, index) => `n${index}. ${'a long line '.repeat(7)}`)
  const kept = lines.filter((_, index) => index % 300 === 299)
  const { passages, omittedLines, furtherLines } = comparePassages({
    original: lines.join('\n'),
    sent: kept.join('\n'),
  })
  expect({ omittedLines, furtherLines }).toEqual({ omittedLines: 21_000 - kept.length, furtherLines: 0 })
  expect(passages.flatMap(({ isKept, text }) => (isKept ? [text] : []))).toEqual(kept)
  expect(passages.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(1_100_000)
  expect(passages.at(-2)).toMatchObject({ isKept: false, isCut: true, lines: 299 })
})

test('what is after very many passages is counted', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} end`)
  const sent = lines.filter((_, index) => index % 2 === 0).join('\n')
  const { passages, furtherLines } = comparePassages({ original: lines.join('\n'), sent })
  expect({ passages: passages.length, furtherLines }).toEqual({ passages: 4_000, furtherLines: 1_000 })
})

test('lines that every record has are left out with their record', () => {
  const records = Array.from({ length: 30 }, (_, index) => ({ name: `file-${index}.md`, type: 'file' }))
  const original = JSON.stringify(records)
  const { passages, omittedLines } = comparePassages({
    original,
    sent: JSON.stringify([records[3], records[9]]),
  })
  expect(omittedLines).toBeGreaterThan(28 * 3)
  expect(passages.flatMap(({ isKept, text }) => (isKept ? [text.trim().split('\n').length] : []))).toEqual([
    2, 4, 4,
  ])
})

test('a line that comes often and is all there is kept everywhere', () => {
  const { omittedLines } = comparePassages({
    original: 'x\nsame\ny\nsame\nz\nsame',
    sent: 'same\nsame\nsame',
  })
  expect(omittedLines).toBe(3)
})

test('a number or word is not found in a longer one', () => {
  const records = Array.from({ length: 40 }, (_, index) => ({
    id: index,
    customer: `Customer ${index}`,
    total: index * 3.5,
  }))
  const original = JSON.stringify(records)
  const { passages } = comparePassages({ original, sent: JSON.stringify([records[14], records[21]]) })
  const kept = passages.flatMap(({ isKept, text }) => (isKept ? [text] : [])).join('\n')
  expect([...kept.matchAll(/"id": (\d+)/g)].map(([, id]) => id)).toEqual(['14', '21'])
  expect(omitted('total: 3\nx\ny\nz', 'total: 3.5')).toEqual(['total: 3\nx\ny\nz'])
  expect(omitted('total: 3\nx\ny\nz', 'total: 3. Then x')).toEqual(['y\nz'])
})
