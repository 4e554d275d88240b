import { expect, test } from 'vitest'
import { textParts } from '../../../electron/engine/compression/result-parts.ts'
import { resultParts } from '../../../electron/engine/results/result-parts.ts'

const brief = (result: Record<string, unknown>) =>
  resultParts(result).map((part) =>
    part.type === 'text' ? `${part.index} ${part.text}` : `${part.index} <${part.contentType}>`,
  )

const content = [
  { type: 'text', text: 'one' },
  { type: 'image', data: 'AA==', mimeType: 'image/png' },
  { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/csv', text: 'a,b' } },
  { type: 'resource', resource: { uri: 'file:///b', blob: 'AA==' } },
  { type: 'resource_link', uri: 'file:///c', name: 'c' },
  { type: 'brand-new', anything: 1 },
  'not even an object',
]

test('content keeps its order; what is no text is named with its type', () => {
  expect(brief({ content })).toEqual([
    '0 one',
    '1 <image>',
    '2 a,b',
    '3 <resource>',
    '4 <resource_link>',
    '5 <brand-new>',
    '6 <unknown>',
  ])
  expect(resultParts({ content })[2]).toMatchObject({ mime: 'text/csv' })
})

test('resources and prompts have parts too, user interfaces do not', () => {
  expect(
    brief({
      contents: [
        { uri: 'file:///a', text: 'x' },
        { uri: 'file:///b', blob: 'AA==' },
        { uri: 'ui://app', text: '<html>' },
      ],
    }),
  ).toEqual(['0 x', '1 <blob>', '2 <unknown>'])
  expect(brief({ messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] })).toEqual(['0 hi'])
  expect(brief({})).toEqual([])
})

test('structured content is a part of its own only where no text says the same', () => {
  const structuredContent = { a: [1, 2] }
  const text = (said: string) => ({ content: [{ type: 'text', text: said }], structuredContent })
  expect(brief(text('two numbers'))).toEqual(['0 two numbers', '1 {"a":[1,2]}'])
  expect(brief(text('{"a":[1,2]}'))).toHaveLength(1)
  expect(brief(text('{\n  "a": [1, 2]\n}'))).toHaveLength(1)
  expect(brief(text('{"a":[1,2'))).toHaveLength(2)
})

test('structured content that only wraps the text, as the official filesystem server gives it, is no part of its own', () => {
  const text = 'line one\nline two'
  const result = (structuredContent: object) => ({ content: [{ type: 'text', text }], structuredContent })
  expect(brief(result({ content: text }))).toEqual([`0 ${text}`])
  expect(brief(result({ content: text, lines: 2 }))).toHaveLength(2)
  expect(brief(result({ content: 'line one' }))).toHaveLength(2)
})

// A shortened part's header names "r_…/n"; n must be the same part here.
test('text parts are numbered as compression numbers them', () => {
  const ours = resultParts({ content }).filter((part) => part.type === 'text')
  expect(ours.map((part) => part.index)).toEqual(textParts(content).map((part) => part.index))
})
