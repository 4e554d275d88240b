import { describe, expect, test } from 'vitest'
import { checkToolSettings } from '../../../electron/engine/tools/check-tool-settings.ts'

const definition = {
  name: 'fetch',
  inputSchema: {
    type: 'object',
    required: ['url', 'options'],
    properties: {
      url: { type: 'string' },
      maxLength: { type: 'number' },
      options: {
        type: 'object',
        required: ['mode', 'depth'],
        properties: { mode: { type: 'string' }, depth: { type: 'number' }, raw: { type: 'boolean' } },
      },
    },
  },
}

const check = (hideParameters: string[], parameterOverrides: Record<string, unknown> = {}) =>
  checkToolSettings(definition, { hideParameters, parameterOverrides }).map(
    ({ severity, path, message }) => `${severity} ${path}: ${message}`,
  )

describe('checkToolSettings', () => {
  test('a hidden required parameter without an override is an error', () => {
    expect(check(['url'])).toEqual([
      'error hideParameters: "url" is hidden, but the tool requires it. Add "url" to parameterOverrides, or show the parameter.',
    ])
    expect(check(['url'], { url: 'http://x' })).toEqual([])
    expect(check(['url'], { url: '' })).toEqual([])
  })

  test('a hidden optional one is none: the server has its own default', () => {
    expect(check(['maxLength', 'options.raw'])).toEqual([])
  })

  test('the same for nested parameters', () => {
    expect(check(['options.mode'])).toEqual([
      'error hideParameters: "options.mode" is hidden, but the tool requires it. Add "options.mode" to parameterOverrides, or show the parameter.',
    ])
    expect(check(['options.mode'], { 'options.mode': 'fast' })).toEqual([])
    expect(check(['options.mode'], { options: { mode: 'fast' } })).toEqual([])
    expect(check(['options.mode'], { options: { depth: 1 } })).toHaveLength(1)
  })

  test('an object that overrides make needs all that it requires', () => {
    expect(check(['options'], { 'options.mode': 'fast' })).toEqual([
      'error hideParameters: "options" is hidden, but the tool requires "options.depth". Add "options.depth" to parameterOverrides, or show the parameter.',
    ])
    expect(check(['options'], { 'options.mode': 'fast', 'options.depth': 0 })).toEqual([])
  })

  test('U9: a fixed value that its schema refuses is an error, with what was expected', () => {
    expect(check([], { maxLength: 'abc' })).toEqual([
      'error parameterOverrides.maxLength: The fixed value of "maxLength" does not fit its schema: Invalid input: expected number, received string.',
    ])
    expect(check([], { options: { mode: 3, depth: 1 } })).toEqual([
      'error parameterOverrides.options: The fixed value of "options" does not fit its schema (at mode): Invalid input: expected string, received number.',
    ])
    expect(check([], { 'options.raw': 'yes' })).toHaveLength(1)
    expect(check(['url'], { url: null })).toHaveLength(1)
    expect(check([], { maxLength: 3, url: 'http://x', 'options.depth': 2, 'options.raw': true })).toEqual([])
    // Known at the call.
    for (const value of ['${env:MOST}', '1${env:MOST}']) expect(check([], { maxLength: value })).toEqual([])
  })

  test('a schema that can not be read alone refuses nothing', () => {
    const referring = { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } } }
    expect(checkToolSettings(referring, { hideParameters: [], parameterOverrides: { a: 1 } })).toEqual([])
  })

  test('names that the tool does not have', () => {
    expect(check(['ulr'], { 'options.mod': 1 })).toEqual([
      'warning hideParameters: The tool has no parameter "ulr". Did you mean "url"?',
      'warning parameterOverrides.options.mod: The tool has no parameter "options.mod". Did you mean "mode"?',
    ])
    const open = { inputSchema: { type: 'object', properties: {}, additionalProperties: true } }
    expect(checkToolSettings(open, { hideParameters: [], parameterOverrides: { any: 1 } })).toEqual([])
  })

  test('a definition without a usable schema is not judged', () => {
    for (const inputSchema of [undefined, true, {}, { properties: [] }]) {
      expect(
        checkToolSettings({ inputSchema }, { hideParameters: ['a'], parameterOverrides: { b: 1 } }),
      ).toEqual([])
    }
  })
})
