import { assert, property, string } from '../../helpers/properties.ts'
import { expect, test } from 'vitest'
import {
  decodeHeaderValue,
  encodeHeaderValue,
  paramHeaderProblem,
  paramHeadersIn,
} from '../../../electron/engine/protocol/param-header.ts'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    where: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } },
    free: { type: 'string' },
  },
  anyOf: [{ properties: { hidden: { 'x-mcp-header': 'Hidden' } } }],
}

const problem = (args: Record<string, unknown>, headers: Record<string, string>): string | undefined =>
  paramHeaderProblem(schema, args, (name) => headers[name])

test('headers are declared by properties that are reached through properties alone', () => {
  expect(paramHeadersIn(schema)).toEqual([
    { path: ['region'], header: 'mcp-param-region' },
    { path: ['where', 'zone'], header: 'mcp-param-zone' },
  ])
})

test('a header must be there and say what the body says, wherever the body says something', () => {
  expect(problem({ region: 'eu', free: 'x' }, { 'mcp-param-region': 'eu' })).toBeUndefined()
  expect(problem({ region: null }, {})).toBeUndefined()
  expect(problem({}, { 'mcp-param-region': 'eu' })).toBeUndefined()
  expect(problem({ region: 'eu' }, {})).toContain('mcp-param-region header is missing')
  expect(problem({ region: 'eu' }, { 'mcp-param-region': 'us' })).toContain('does not say')
  expect(problem({ region: 'eu' }, { 'mcp-param-region': '=?base64?###?=' })).toContain('no valid Base64')
  expect(problem({ where: { zone: 4 } }, { 'mcp-param-zone': '4.0' })).toBeUndefined()
  expect(problem({ where: { zone: 4 } }, { 'mcp-param-zone': '5' })).toContain('where.zone')
})

test('every text comes back from its header, which is visible ASCII', () => {
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      const encoded = encodeHeaderValue(text)
      expect(encoded).toMatch(/^[\x20-\x7E\t]+$/)
      expect(decodeHeaderValue(encoded)).toBe(text)
    }),
  )
})
