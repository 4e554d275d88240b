import { expect, test } from 'vitest'
import { comparePassages } from '../../../electron/engine/screens/compare-texts.ts'

const omitted = (original: string, sent: string): string[] =>
  comparePassages(original, sent).passages.flatMap(({ isKept, text }) => (isKept ? [] : [text]))

test('runs of kept and omitted lines follow each other in the order of the original, counted from 1', () => {
  expect(comparePassages('a one\nb two\nc three\nd four\ne five', 'a one\n…\nd four')).toEqual({
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
  expect(comparePassages(original, '{"kept":1}').unit).toBe('indented-line')
  expect(omitted(original, '{"kept":1}').join()).toContain('deep')
  expect(omitted(original, '{"kept":1}').join()).not.toContain('kept')
})

test('a page in one long line is not called left out as a whole', () => {
  const sentences = Array.from({ length: 60 }, (_, index) => `Sentence ${index} says something. `)
  const original = sentences.join('')
  const found = comparePassages(original, sentences.slice(0, 20).join(''))
  expect({ unit: found.unit, lines: found.omittedLines }).toEqual({ unit: 'passage', lines: 40 })
  expect(found.passages.map(({ isKept }) => isKept)).toEqual([true, false])
  expect(found.passages.map(({ text }) => text).join('')).toBe(original)
})

test('tags of HTML in one line are passages, too', () => {
  const rows = Array.from({ length: 40 }, (_, index) => `<li>item number ${index}</li>`)
  expect(comparePassages(rows.join(''), 'item number 3\n<li>item number 7</li>').omittedLines).toBe(39)
})

test('everything is there', () => {
  const { passages, omittedLines } = comparePassages('short', 'short')
  expect({ passages, omittedLines }).toEqual({
    omittedLines: 0,
    passages: [{ isKept: true, fromLine: 1, lines: 1, text: 'short', isCut: false }],
  })
})

test('of a huge original the beginning is compared, and the rest is counted', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`)
  const { passages, omittedLines, furtherLines } = comparePassages(lines.join('\n'), 'nothing of it')
  expect({ passages: passages.length, omittedLines, furtherLines }).toEqual({
    passages: 1,
    omittedLines: 20_000,
    furtherLines: 10_000,
  })
  expect(passages[0]).toMatchObject({ isCut: true, lines: 20_000 })
})

test('lines that every record has are left out with their record', () => {
  const records = Array.from({ length: 30 }, (_, index) => ({ name: `file-${index}.md`, type: 'file' }))
  const original = JSON.stringify(records)
  const { passages, omittedLines } = comparePassages(original, JSON.stringify([records[3], records[9]]))
  expect(omittedLines).toBeGreaterThan(28 * 3)
  expect(passages.flatMap(({ isKept, text }) => (isKept ? [text.trim().split('\n').length] : []))).toEqual([
    2, 4, 4,
  ])
})

test('a line that comes often and is all there is kept everywhere', () => {
  const { omittedLines } = comparePassages('x\nsame\ny\nsame\nz\nsame', 'same\nsame\nsame')
  expect(omittedLines).toBe(3)
})
