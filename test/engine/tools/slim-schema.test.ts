import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import * as fc from '../../helpers/properties.ts'
import { expect, test } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { NPM_SERVERS, slimFigures, toolsOfNpmServer } from '../../helpers/npm-servers.ts'
import { slimTool } from '../../../electron/engine/tools/slim/slim-tool.ts'

const NAMES = ['id', 'name', 'kind', 'filter', 'items', 'max']
const DESCRIPTIONS = [
  'The name of the thing',
  'The kind of thing to return. One of: a, b.',
  'An optional list of the things, as they are called in the list of things. If not provided, all of them.',
  'Maximum number of things (max: 5). Defaults to 5 (all of them).',
  'Whether to include a few of the others. Default is false.',
]
const MODEL_ARGUMENTS = ['', 'a', 'b', 'c', 0, 1, 5, 6, -1, 1.5, true, false, null, 'long enough', [], {}]

const leaf: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'string', minLength: 1, default: '' },
  { type: 'string', enum: ['a', 'b'], default: 'a' },
  { type: 'integer', format: 'int32', minimum: 1, maximum: 5, default: 5 },
  { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  { type: 'boolean', default: false },
  { const: 'a' },
  { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }], default: null },
  { anyOf: [{ type: 'number', minimum: 1 }, { type: 'null' }] },
  { anyOf: [{ const: 'a' }, { type: 'null' }] },
  { anyOf: [{ type: 'string' }, { type: 'number' }] },
  { $ref: '#/$defs/thing' },
  { type: 'object', properties: {}, additionalProperties: {} },
  { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'string' } },
  {},
)

const described = (schema: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(schema, fc.option(fc.constantFrom(...DESCRIPTIONS)), fc.option(fc.constantFrom('Id', 'Thing')))
    .map(([inner, description, title]) => ({
      ...inner,
      ...(title === null ? {} : { title }),
      ...(description === null ? {} : { description }),
    }))

/** Schemas as server libraries write them, with everything that slimming removes or changes. */
const { object } = fc.letrec<{ any: JsonObject; object: JsonObject }>((tie) => ({
  any: described(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('object'),
      tie('any').map((items) => ({ type: 'array', items, default: [] })),
      fc.array(tie('object'), { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(tie('object'), { minLength: 2, maxLength: 3 }).map((oneOf) => ({ oneOf })),
      tie('object').map((not) => ({ type: 'object', not })),
      fc.tuple(tie('object'), tie('object')).map((allOf) => ({ allOf })),
    ),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 3 }),
      fc.subarray(NAMES, { maxLength: 2 }),
      fc.constantFrom<JsonObject>({}, { additionalProperties: false }, { additionalProperties: true }),
    )
    .map(([properties, required, rest]) => ({
      type: 'object',
      properties,
      required: required.filter((name) => name in properties),
      ...rest,
    })),
}))

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Possible model input: the shown names, with fitting, unfitting or no values. */
function filledIn(schema: unknown, root: JsonObject): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(...MODEL_ARGUMENTS)
  if (!isJsonObject(schema)) return wrong
  if ('$ref' in schema) return filledIn((root['$defs'] as JsonObject)['thing'], root)
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(schema[key]))
  const fitting: fc.Arbitrary<unknown>[] = parts.map((part) => filledIn(part, root))
  const both = parts.length > 1 && parts.every((part) => isJsonObject(part) && part['type'] === 'object')
  if (both)
    fitting.push(
      fc.tuple(...fitting).map((values) => Object.assign({}, ...values.filter(isJsonObject)) as unknown),
    )
  if (isJsonObject(schema['properties'])) {
    const values = Object.entries(schema['properties']).map(
      ([name, inner]) => [name, filledIn(inner, root)] as const,
    )
    fitting.push(fc.record(Object.fromEntries(values), { requiredKeys: [] }))
  }
  if ('items' in schema) fitting.push(fc.array(filledIn(schema['items'], root), { maxLength: 2 }))
  return fitting.length === 0
    ? wrong
    : fc.oneof(...fitting.map((arbitrary) => ({ arbitrary, weight: 6 })), wrong)
}

const toolAndArguments = fc
  .tuple(object, described(leaf.filter((schema) => !('$ref' in schema))))
  .map(([schema, thing]) => ({
    ...schema,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: { thing, unused: { type: 'string' } },
  }))
  .chain((schema) =>
    fc.tuple(fc.constant(schema), fc.array(filledIn(schema, schema), { minLength: 20, maxLength: 20 })),
  )

const validator = new AjvJsonSchemaValidator()

/** Names of parameters and enum values, also in inner schemas. */
function namesIn(schema: unknown): unknown[] {
  if (!isJsonObject(schema)) return []
  const { properties, enum: values } = schema
  const inner = [
    ...['items', 'additionalProperties', 'not'].map((key) => schema[key]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(schema[key])),
  ]
  return [
    ...(isJsonObject(properties) ? Object.keys(properties) : []),
    ...listOf(values).filter((value) => value !== null),
    ...Object.values(isJsonObject(properties) ? properties : {}).flatMap(namesIn),
    ...inner.flatMap(namesIn),
  ]
}

test('a slim schema takes and refuses what the server’s own does, for whatever a model fills in', () => {
  const seen = { valid: 0, invalid: 0, changed: 0 }
  fc.assert(
    fc.property(toolAndArguments, ([inputSchema, samples]) => {
      const slim = slimTool({ name: 'do_it', description: 'Does the thing.', inputSchema }, new Set())
      const after = slim['inputSchema'] as JsonObject
      if (JSON.stringify(after).length < JSON.stringify(inputSchema).length - 100) seen.changed += 1
      expect(namesIn(after)).toEqual(namesIn(inputSchema))
      const [was, is] = [validator.getValidator(inputSchema), validator.getValidator(after)]
      for (const sample of samples) {
        const before = was(sample).valid
        seen[before ? 'valid' : 'invalid'] += 1
        expect(is(sample).valid, JSON.stringify([sample, inputSchema, after])).toBe(before)
      }
    }),
    { numRuns: 40 },
  )
  expect(seen.valid).toBeGreaterThan(150)
  expect(seen.invalid).toBeGreaterThan(150)
  expect(seen.changed).toBeGreaterThan(30)
})

test('at least 30 % go off the lists of real servers, and every parameter and value to choose stays', async () => {
  const installed = NPM_SERVERS.slice(0, 4)
  const lists = await Promise.all(installed.map(toolsOfNpmServer))
  for (const [index, tools] of lists.entries()) {
    const { slim, less } = slimFigures(tools)
    expect(less, installed[index]?.package).toBeGreaterThan(0.3)
    expect(slim.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    expect(slim.flatMap((tool) => namesIn(tool['inputSchema']))).toEqual(
      tools.flatMap((tool) => namesIn(tool['inputSchema'])),
    )
  }
})
