import { describe, expect, test } from 'vitest'
import { parseExact, stringifyExact } from '../../../electron/engine/protocol/exact-json.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { slimTool } from '../../../electron/engine/tools/slim/slim-tool.ts'
import { saysNothingMore, slimWords } from '../../../electron/engine/tools/slim/slim-words.ts'

const slimSchemaOf = (inputSchema: JsonObject, description = ''): unknown =>
  slimTool({ name: 'do_it', description, inputSchema }, new Set())['inputSchema']

describe('slimWords', () => {
  test.each([
    ['Reads the file in order to list its lines.', 'Reads file to list its lines.'],
    ['The path of a file', 'path of file'],
    ['This tool allows you to search the **index**.', 'search index.'],
    ['Use `the path` and "a b", not the "c".', 'Use `the path` and "a b", not "c".'],
    ['Never pass more than 100 rows; see https://example.com/the/docs.', undefined],
    ['Useful for many things. Deletes the row.', 'Deletes row.'],
    ['As in\n```json\n{\n  "a": [\n    1\n  ]\n}\n```', 'As in\n`{"a":[1]}`'],
    ['ファイルの名前', undefined],
    ['Adds a and b, a few at a time. The a11y tree', 'Adds a and b, a few at a time. a11y tree'],
    ['Save the data. For example, trace.json.gz', 'Save data. For example, trace.json.gz'],
    ['Use the project URL if not specified otherwise.', 'Use project URL if not specified otherwise.'],
    ['The file. If not provided, all of them.', 'file. If omitted, all of them.'],
  ])('%j', (before, after) => {
    expect(slimWords(before)).toBe(after ?? before)
  })
})

test('saysNothingMore wants every word said, and takes numbers, quotes and conditions for more', () => {
  expect(saysNothingMore('The name of the entity', ['create_entities', 'name'])).toBe(true)
  expect(saysNothingMore('The page size', ['pageSize'])).toBe(true)
  expect(saysNothingMore('The branch to create from', ['create_branch', 'branch'])).toBe(false)
  expect(saysNothingMore('Not the branch', ['branch'])).toBe(false)
  expect(saysNothingMore('Branch (default: main)', ['branch'])).toBe(false)
  expect(saysNothingMore('Pages 1', ['pages'])).toBe(false)
})

describe('slimTool', () => {
  test('what stays has the digits and the order that it came with', () => {
    const limits = '{"type":"number","minimum":-9223372036854775808,"maximum":1.0}'
    const schema = `{"type":"object","properties":{"z":${limits},"2":{"enum":[1.50]}},"$comment":"x","default":{"b":1.0}}`
    const tool = parseExact(`{"name":"do_it","inputSchema":${schema}}`) as JsonObject
    expect(stringifyExact(slimTool(tool, new Set()))).toBe(
      `{"name":"do_it","inputSchema":${schema.replace('"$comment":"x",', '')}}`,
    )
  })

  test('takes out what holds anyway, and keeps every demand of types, names and numbers', () => {
    expect(
      slimSchemaOf({
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        title: 'do it',
        properties: {
          count: {
            type: 'integer',
            minimum: 1,
            maximum: 9007199254740991,
            title: 'Count',
            default: 10,
            description: 'How many rows to give back. Defaults to 10.',
          },
          user: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], default: null },
          kind: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
          dryRun: {
            type: 'boolean',
            default: false,
            description: 'Whether to only show what would change. Default is false.',
          },
        },
        required: [],
        additionalProperties: false,
        $defs: { unused: { type: 'string' } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, default: 10, description: 'How many rows to give back.' },
        user: { type: ['string', 'null'], format: 'uuid' },
        kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
        dryRun: { type: 'boolean', description: 'only show what would change.' },
      },
    })
  })

  test('leaves out nothing that refuses where alternatives exclude each other', () => {
    const schema = {
      type: 'object',
      properties: {
        by: {
          oneOf: [
            { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
            { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
          ],
        },
      },
    }
    expect(slimSchemaOf(schema)).toEqual(schema)
  })

  test('describes a parameter once in a list, and a tool by itself whole', () => {
    const tool = (name: string): JsonObject => ({
      name,
      inputSchema: {
        type: 'object',
        properties: { tab: { type: 'number', description: 'Where to look first' } },
      },
    })
    const heard = new Set<string>()
    const [first, second] = [slimTool(tool('one'), heard), slimTool(tool('two'), heard)]
    expect(JSON.stringify(first)).toContain('Where to look first')
    expect(JSON.stringify(second)).not.toContain('Where to look first')
    expect(JSON.stringify(slimTool(tool('two'), new Set()))).toContain('Where to look first')
  })

  test('keeps definitions that are in use, directly or not', () => {
    const $defs = { a: { $ref: '#/$defs/b' }, b: { type: 'string' }, c: { type: 'number' } }
    expect(slimSchemaOf({ type: 'object', properties: { x: { $ref: '#/$defs/a' } }, $defs })).toEqual({
      type: 'object',
      properties: { x: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'string' } },
    })
  })
})
