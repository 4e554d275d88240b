import { expect, test } from 'vitest'
import { canonicalDefinition, settledHash } from '../../../electron/engine/protocol/definition-hash.ts'

test('a settled hash is that of the definition, and the definition can no longer be changed', () => {
  const tool = { name: 'read', inputSchema: { type: 'object', required: ['path'] } }
  const { hash } = canonicalDefinition(structuredClone(tool))
  expect(settledHash(tool)).toBe(hash)
  expect(() => Object.assign(tool.inputSchema, { type: 'array' })).toThrow(TypeError)
  expect(() => tool.inputSchema.required.push('mode')).toThrow(TypeError)
  expect(settledHash(tool)).toBe(hash)
})

test('the same definition in a new object, or with its keys in another order, has the same hash and is settled, too', () => {
  const text = '{"name":"again","inputSchema":{"type":"object"}}'
  const other = JSON.parse('{"inputSchema":{"type":"object"},"name":"again"}') as object
  const [first, second] = [JSON.parse(text) as object, JSON.parse(text) as object]
  expect(settledHash(second)).toBe(settledHash(first))
  expect(settledHash(other)).toBe(settledHash(first))
  expect(() => Object.assign(second, { name: 'else' })).toThrow(TypeError)
  expect(settledHash({ ...first, name: 'else' })).not.toBe(settledHash(first))
})

test('what has no canonical form has no settled hash either', () => {
  expect(() => settledHash({ name: '\ud800' })).toThrow('canonical form')
})
