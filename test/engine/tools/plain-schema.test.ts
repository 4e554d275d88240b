import { isDeepStrictEqual } from 'node:util'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { withOwnNames } from '../../../electron/engine/tools/schemas/plain-names.ts'
import { plainSchema, plainSchemaNames } from '../../../electron/engine/tools/schemas/plain-schema.ts'
import { rounds } from '../../helpers/rounds.ts'

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

/** Arguments under the names that the client was shown. */
function asShown(args: JsonObject, schema: JsonObject): JsonObject {
  const shown = new Map([...plainSchemaNames(schema)].map(([plain, own]) => [own, plain]))
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [shown.get(name) ?? name, value]))
}

function namedBy(schema: JsonObject, root: JsonObject): unknown {
  const [, place, name] = /^#\/(\$defs|definitions)\/(\w+)$/.exec(String(schema['$ref'])) ?? []
  if (schema['$ref'] === '#/properties/a') return (root['properties'] as JsonObject | undefined)?.['a']
  return place === undefined || name === undefined ? undefined : (root[place] as JsonObject)[name]
}

const partsOf = (schema: JsonObject, key: string): unknown[] => (schema[key] as unknown[] | undefined) ?? []

/** Parameter names at the top of a schema or of its alternatives. */
function parameters(schema: unknown, root: JsonObject, depth = 0): string[] {
  if (typeof schema !== 'object' || schema === null || depth > 3) return []
  const node = schema as JsonObject
  const parts = [namedBy(node, root), ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => partsOf(node, key))]
  return [...topNames(node), ...parts.flatMap((part) => parameters(part, root, depth + 1))]
}

const NAMES = ['a', 'b', 'kind', '$odd', 'a b', 'ключ', 'filter[x]']
const LEAVES: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'number', minimum: 0, exclusiveMaximum: 2 },
  { type: ['integer', 'null'] },
  { const: 'a' },
  { enum: ['a', 1] },
  {},
  { $ref: '#/$defs/one' },
  { $ref: '#/$defs/two' },
  { $ref: '#/definitions/three', type: 'string' },
  { $ref: '#' },
  { $ref: '#/properties/a' },
]
/** Schemas that make a validator refuse. */
const REFUSED: readonly JsonObject[] = [
  { type: 'number', minimum: 0, exclusiveMinimum: true },
  { type: 'any', required: true },
  { $ref: '#/nowhere' },
  { $ref: 'https://example.com/schema' },
]

/** Seeded schemas and arguments with every translated keyword. */
function makerOf(seed: number) {
  let state = seed
  const roll = (sides: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return ((mixed ^ (mixed >>> 15)) >>> 0) % sides
  }
  const one = <T>(list: readonly T[]): T => list[roll(list.length)] as T
  const some = <T>(most: number, make: () => T, least = 0): T[] =>
    Array.from({ length: least + roll(most - least + 1) }, make)
  const byName = <T>(make: () => T): Record<string, T> =>
    Object.fromEntries(some(3, () => [one(NAMES), make()]))
  const names = (): string[] => [...new Set(some(2, () => one(NAMES)))]
  const isOld = roll(2) === 0
  const any = (depth: number): JsonObject => {
    if (depth <= 0 || roll(3) === 0) return seed % 10 === 0 && roll(9) === 0 ? one(REFUSED) : one(LEAVES)
    if (roll(5) > 0) return object(depth - 1)
    const [first, rest] = [any(depth - 1), any(depth - 1)]
    return roll(2) === 0 || !isOld
      ? { type: 'array', items: first }
      : { items: [first], additionalItems: rest }
  }
  /** Without references: a cycle that does not descend into the value would loop the validator. */
  const part = (depth: number): JsonObject =>
    depth <= 0 || roll(3) === 0 ? one(LEAVES.slice(0, 6)) : object(depth - 1)
  const seldom = (key: string, make: () => unknown): JsonObject => (roll(10) < 2 ? { [key]: make() } : {})
  const object = (depth: number): JsonObject => ({
    ...(roll(4) > 0 ? { type: 'object' } : {}),
    ...(roll(4) > 0 ? { properties: byName(() => any(depth)) } : {}),
    ...seldom('required', names),
    ...seldom('additionalProperties', () => one([false, true, any(depth)])),
    ...seldom('allOf', () => some(2, () => part(depth), 1)),
    ...seldom('anyOf', () => some(3, () => part(depth), 1)),
    ...seldom('oneOf', () => some(2, () => part(depth), 1)),
    ...seldom('not', () => part(depth)),
    ...seldom('if', () => object(depth - 1)),
    ...seldom('then', () => object(depth - 1)),
    ...seldom('else', () => object(depth - 1)),
    ...seldom('dependencies', () => ({ [one(NAMES)]: roll(2) === 0 ? names() : part(depth) })),
    ...seldom('unevaluatedProperties', () => false),
    ...seldom('patternProperties', () => ({ [one(['^k', '^a'])]: any(depth) })),
    ...seldom('propertyNames', () => ({ maxLength: 6 })),
    ...seldom('description', () => 'What it is.'),
  })
  const root = (): JsonObject => ({
    ...object(1),
    properties: { ...byName(() => any(1)), a: one(LEAVES.slice(0, 8)) },
    ...(roll(2) === 0
      ? { anyOf: some(3, () => (roll(3) === 0 ? { $ref: '#/$defs/two' } : object(1)), 1) }
      : {}),
    ...(roll(4) === 0 ? { allOf: some(2, () => object(1), 1) } : {}),
    ...(isOld ? { $schema: DRAFT_7 } : {}),
    $defs: { one: any(1), two: object(1) },
    definitions: { three: any(1) },
  })
  const value = (depth: number): unknown => {
    if (depth === 0 || roll(2) === 0) return one(['a', 'b', 1, 2, 0, true, null])
    return roll(2) === 0 ? some(3, () => value(depth - 1)) : byName(() => value(depth - 1))
  }
  return { root, args: (): JsonObject => byName(() => value(2)) }
}

const validator = new AjvJsonSchemaValidator()

/** Whether a schema accepts these; undefined where the validator can't say. */
function verdicts(schema: JsonObject, samples: readonly JsonObject[]): boolean[] | undefined {
  try {
    const check = validator.getValidator(schema)
    return samples.map((sample) => check(sample).valid)
  } catch {
    return undefined
  }
}

const COMBINING = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum']

/** Broken promises of a schema; plain comparisons, since there are thousands. */
function faultsOf(before: JsonObject, samples: readonly JsonObject[], seen: { valid: number }): unknown[] {
  const after = plainSchema(before)
  const names = plainSchemaNames(before)
  const shown = topNames(after)
  const own = new Set(shown.map((each) => names.get(each) ?? each))
  const wanted = before['$schema'] === undefined ? parameters(before, before) : topNames(before)
  const sent = samples.map((args) => asShown(args, before))
  const was = verdicts(before, samples) ?? []
  const is = verdicts(after, sent) ?? []
  seen.valid += was.filter(Boolean).length
  return [
    ...COMBINING.filter((key) => key in after),
    ...(after['type'] === 'object' ? [] : ['no object']),
    ...shown.filter((each) => !/^[A-Za-z0-9_.-]{1,64}$/.test(each)),
    ...wanted.filter((each) => !own.has(each)),
    // A plain schema stays unchanged.
    ...(isDeepStrictEqual(plainSchema(after), after) ? [] : ['changed again']),
    ...sent.filter((args, index) => !isDeepStrictEqual(withOwnNames(args, names), samples[index])),
    ...sent.filter((_, index) => was[index] === true && is[index] !== true),
  ]
}

describe('plainSchema', () => {
  test('what was valid is valid, reaches the server as it was, and no parameter is lost', () => {
    const seen = { valid: 0 }
    for (let seed = 1; seed <= rounds(30); seed++) {
      const make = makerOf(seed)
      const before = make.root()
      const samples = [{}, ...Array.from({ length: 20 }, () => make.args())]
      expect(faultsOf(before, samples, seen), `seed ${seed}: ${JSON.stringify(before)}`).toEqual([])
    }
    expect(seen.valid).toBeGreaterThan(100)
  })
})

const topNames = (schema: JsonObject): string[] =>
  Object.keys((schema['properties'] as JsonObject | undefined) ?? {})

const plainly = (schema: JsonObject): JsonObject => plainSchema(schema)

describe('in particular', () => {
  test('a plain schema is the very same object', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } }
    expect(plainly(schema)).toBe(schema)
  })

  test('alternatives at the top become parameters, and words say which go together', () => {
    expect(
      plainly({
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        oneOf: [
          { properties: { url: { type: 'string' } }, required: ['url'], additionalProperties: false },
          {
            properties: { path: { type: 'string' }, mode: { const: 'r' } },
            required: ['path', 'mode'],
            additionalProperties: false,
          },
        ],
      }),
    ).toEqual({
      type: 'object',
      description: 'Needs exactly one of: url; path and mode.',
      properties: {
        title: { type: 'string' },
        url: { type: 'string' },
        path: { type: 'string' },
        mode: { const: 'r' },
      },
      required: ['title'],
      additionalProperties: false,
    })
  })

  test('what one alternative closes, patterns open; the only form’s description stays beside it', () => {
    const a = { properties: { a: { type: 'string', description: 'A name.' } }, additionalProperties: false }
    const b = { properties: { b: {} }, additionalProperties: false }
    expect(plainly({ type: 'object', anyOf: [a, b] })).toMatchObject({ additionalProperties: false })
    const open = plainly({ type: 'object', anyOf: [a, { ...b, patternProperties: { '^x-': {} } }] })
    expect(open).not.toHaveProperty('additionalProperties')
    expect(open).toMatchObject({ properties: { a: { description: 'A name.' } } })
  })

  test('a circle is cut where it would close', () => {
    const node = { type: 'object', properties: { child: { $ref: '#/$defs/node' }, name: { type: 'string' } } }
    expect(
      plainly({ type: 'object', properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node } }),
    ).toEqual({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: {
        node: { type: 'object', properties: { child: { type: 'object' }, name: { type: 'string' } } },
      },
    })
  })

  test('odd names are shown plainly, and their own name stands beside', () => {
    const schema = { type: 'object', properties: { $filter: { type: 'string' } }, required: ['$filter'] }
    const [shown = ''] = plainSchemaNames(schema).keys()
    expect(plainly(schema)).toEqual({
      type: 'object',
      properties: { [shown]: { type: 'string', title: '$filter' } },
      required: [shown],
    })
    expect(shown).toMatch(/^_filter_[0-9a-f]{6}$/)
    expect(withOwnNames({ [shown]: 'x', other: 1 }, plainSchemaNames(schema))).toEqual({
      $filter: 'x',
      other: 1,
    })
  })

  test('names that every object inherits are names like others', () => {
    const schema = JSON.parse(
      '{"type":"object","anyOf":[{"properties":{"__proto__":{"type":"string"},"constructor":{}}}]}',
    ) as JsonObject
    expect(Object.keys(plainly(schema)['properties'] as JsonObject)).toEqual(['__proto__', 'constructor'])
  })

  test('definitions that double with each step stay small', () => {
    const step = (n: number): JsonObject => ({
      allOf: [
        { $ref: `#/$defs/d${n - 1}` },
        { anyOf: [{ $ref: `#/$defs/d${n - 1}` }, { properties: { p: { const: n } } }] },
      ],
    })
    const $defs: JsonObject = { d0: { properties: { p: { type: 'number' } } } }
    for (let n = 1; n <= 19; n++) $defs[`d${n}`] = step(n)
    const { $defs: _, ...shown } = plainly({ type: 'object', $ref: '#/$defs/d19', $defs })
    expect(JSON.stringify(shown).length).toBeLessThan(20_000)
  })
})
