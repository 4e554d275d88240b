import { expect, test } from 'vitest'
import { noteOf } from '../../../renderer/format/call-words.ts'
import { contentText } from '../../../renderer/format/content-text.ts'
import { errorText } from '../../../renderer/format/error-text.ts'
import { formatSure, withoutKind } from '../../../renderer/format/finding-text.ts'
import { omittedHead, omittedPlace, withoutIndent } from '../../../renderer/format/omitted-words.ts'
import { readPairs, writePairs } from '../../../renderer/format/pairs.ts'
import { colourOf } from '../../../renderer/format/series-colours.ts'
import { toolKey } from '../../../renderer/format/tool-key.ts'

test('pairs come back as they went, whatever their values hold', () => {
  const pairs = { TOKEN: 'a=b=c', EMPTY: '', SPACED: ' x' }
  expect(readPairs(writePairs(pairs))).toEqual(pairs)
  expect(readPairs(' \n')).toBeUndefined()
  expect(readPairs('ALONE')).toEqual({ ALONE: '' })
})

test('one line is not called “lines 1–1”', () => {
  const passage = { isKept: false, text: '', isCut: false }
  expect(omittedPlace({ ...passage, fromLine: 1, lines: 1 }, 'line')).toBe('line 1')
  expect(omittedPlace({ ...passage, fromLine: 12, lines: 1029 }, 'passage')).toBe('passages 12–1,040 · 1,029')
  expect(omittedHead({ omittedLines: 1, unit: 'line' })).toBe('Left out · 1 line')
  expect(omittedHead({ omittedLines: 0, unit: 'line' })).toBe('Nothing was left out')
  expect(omittedHead({ omittedLines: 8, unit: 'indented-line' })).toBe(
    'Left out · 8 lines of the indented JSON',
  )
})

test('a layer’s name becomes what it means, other notes stay', () => {
  expect(noteOf({ note: 'require-approval' })).toBe('not approved')
  expect(noteOf({ note: 'timed out' })).toBe('timed out')
  expect(noteOf({})).toBeUndefined()
})

test('texts of a result stand below each other, the rest by its kind', () => {
  const content = [{ type: 'text', text: 'a' }, { type: 'image', data: '' }, { odd: 1 }]
  expect(contentText({ content })).toBe('a\n\n[image]\n\n{"odd":1}')
  expect(contentText({ other: 1 })).toContain('"other": 1')
})

test('reasons lose the name of their kind, and only that', () => {
  expect(withoutKind('credential-path: names a file: "x"')).toBe('names a file: "x"')
  expect(withoutKind('It gives orders: now')).toBe('It gives orders: now')
  expect(formatSure(0.875)).toBe('88\u00a0% sure')
})

test('an engine that does not answer is named so in every browser', () => {
  for (const message of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])
    expect(errorText(new TypeError(message))).toBe('The engine does not answer.')
  expect(errorText('plain')).toBe('plain')
  const issues = [
    { code: 'x', path: ['endpoint', 'baseUrl'], message: 'Write an address.' },
    { path: [], message: 'Give one.' },
  ]
  const refused = Object.assign(new Error('Input validation failed'), { data: { issues } })
  expect(errorText(refused)).toBe('endpoint.baseUrl: Write an address. Give one.')
})

test('a server keeps its colour when others come behind it, and old ones have the last', () => {
  expect(colourOf('b', ['a', 'b'])).toBe(colourOf('b', ['a', 'b', 'c']))
  expect(colourOf('ninth', ['1', '2', '3', '4', '5', '6', '7', '8', 'ninth'])).toBe('var(--chart-1)')
  expect(colourOf('gone', ['a'])).toBe('var(--chart-8)')
})

test('a tool’s key keeps its parts apart', () => {
  expect(toolKey({ server: 'a', tool: 'b/c d' })).toBe('a/b%2Fc%20d')
})

test('an excerpt loses the indentation that all of its lines have', () => {
  expect(withoutIndent('    a\n      b\n\n    c')).toBe('a\n  b\n\nc')
  expect(withoutIndent('a\n  b')).toBe('a\n  b')
  expect(withoutIndent(' \n')).toBe(' \n')
})
