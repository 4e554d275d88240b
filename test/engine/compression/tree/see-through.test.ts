import { describe, expect, test } from 'vitest'
import { minify } from '../../../../electron/engine/compression/tree/minify.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { seeThrough } from '../../../../electron/engine/compression/tree/see-through.ts'

const seen = (value: unknown): string => {
  const document = parseJson(JSON.stringify(value))
  if (document === undefined) throw new Error('The sample is not JSON.')
  return minify(seeThrough(document))
}
const inner = { items: Array.from({ length: 20 }, (_, i) => ({ id: i, name: `n"${i}` })) }

describe('seeThrough', () => {
  test('reads JSON that stands in a string', () => {
    expect(seen({ result: JSON.stringify(inner, null, 2) })).toBe(JSON.stringify({ result: inner }))
    expect(seen([{ type: 'text', text: `\n${JSON.stringify(inner)}\n` }])).toBe(
      JSON.stringify([{ type: 'text', text: inner }]),
    )
  })

  test('reads strings in strings', () => {
    expect(seen({ body: JSON.stringify({ result: JSON.stringify(inner) }) })).toBe(
      JSON.stringify({ body: { result: inner } }),
    )
  })

  test('reads a document that is one string', () => {
    expect(seen(JSON.stringify(inner))).toBe(JSON.stringify(inner))
  })

  test.each([
    ['a small part of the document', { note: '{"a":1}', items: Array.from({ length: 99 }, (_, i) => i) }],
    ['text that only begins like JSON', { result: `[see below] ${'words '.repeat(50)}` }],
    ['JSON that is cut off', { result: JSON.stringify(inner).slice(0, -5) }],
    ['a number in a string', { result: '123456789012345678901234567890' }],
  ])('leaves %s alone', (_, value) => {
    expect(seen(value)).toBe(JSON.stringify(value))
  })
})
