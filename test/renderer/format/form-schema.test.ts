import { expect, test } from 'vitest'
import { readSchema } from '../../../renderer/format/form-schema.ts'
import { toolParameters } from '../../../renderer/format/tool-parameters.ts'

const schema = {
  type: 'object',
  properties: {
    any: {},
    on: { type: 'boolean', default: false },
    size: { type: ['integer', 'null'] },
    mode: { enum: ['a', 'b'] },
    types: { type: 'array', items: { enum: ['x', 'y'] } },
    paths: { type: 'array', items: { type: 'string' } },
    path: { type: 'string', description: 'Where.' },
    filter: {
      type: 'object',
      properties: {
        state: { type: 'string' },
        deep: { type: 'object', properties: { a: {}, b: { properties: { c: {} } } } },
      },
    },
  },
  required: ['path'],
}

test('each property gets the field that fits, the needed ones first', () => {
  const { fields } = readSchema(schema)
  expect(fields.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
    'path: text',
    'any: json',
    'on: boolean',
    'size: number',
    'mode: choice',
    'types: set',
    'paths: lines',
    'filter: json',
  ])
  expect(fields[0]).toMatchObject({ required: true, description: 'Where.' })
  expect(fields.find(({ name }) => name === 'types')?.choices).toEqual(['x', 'y'])
  expect(fields.find(({ name }) => name === 'on')?.fallback).toBe(false)
})

test.each([
  undefined,
  null,
  'no schema',
  { type: 'object' },
  { properties: [] },
  { properties: { a: null } },
])('what is no schema of an object has no or plain fields: %o', (value) =>
  expect(readSchema(value).fields.every(({ kind }) => kind === 'json')).toBe(true),
)

test('parameters within objects are named by dotted paths, three deep', () => {
  expect(
    toolParameters(schema)
      .map(({ path, depth }) => `${depth} ${path}`)
      .slice(-5),
  ).toEqual(['0 filter', '1 filter.state', '1 filter.deep', '2 filter.deep.a', '2 filter.deep.b'])
})
