import { expect, test } from 'vitest'
import { canonicalDefinition, settledHash } from '../../../electron/engine/approvals/definition-hash.ts'

test('a settled hash is that of the definition, and the definition can no longer be changed', () => {
  const tool = { name: 'read', inputSchema: { type: 'object', required: ['path'] } }
  const { hash } = canonicalDefinition(structuredClone(tool))
  expect(settledHash(tool)).toBe(hash)
  expect(() => Object.assign(tool.inputSchema, { type: 'array' })).toThrow(TypeError)
  expect(() => tool.inputSchema.required.push('mode')).toThrow(TypeError)
  expect(settledHash(tool)).toBe(hash)
})

test('what has no canonical form has no settled hash either', () => {
  expect(() => settledHash({ name: '\ud800' })).toThrow('canonical form')
})
