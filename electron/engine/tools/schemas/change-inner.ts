import { carrySources } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'

/** Schemas by name, one schema, or a list. */
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'then',
  'else',
] as const
const LISTED = ['prefixItems', 'allOf', 'anyOf', 'oneOf', 'items'] as const
/** A looser inner schema is stricter overall. */
const REVERSING = ['not', 'if', 'propertyNames'] as const
/** Their evaluation affects `unevaluatedProperties`. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const

/** Never stricter, provided `change` gives an equal or looser schema. The same object if unchanged. */
export function changeInner(schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
  const inner = (value: unknown): unknown => (isJsonObject(value) ? change(value) : value)
  const changes = changesOf(schema, change)
  const dropped: string[] = REVERSING.filter((key) => inner(schema[key]) !== schema[key])
  if (dropped.length === 0 && Object.keys(changes).length === 0) return schema
  if (dropped.includes('if')) dropped.push('then', 'else')
  if (IN_PLACE.some((key) => key in changes || dropped.includes(key)))
    dropped.push('unevaluatedProperties', 'unevaluatedItems')
  if ('contains' in changes) dropped.push('maxContains')
  const changed = without({ ...schema, ...changes }, dropped)
  return 'oneOf' in changes ? anyOfThem(changed) : changed
}

/** For an equivalent `change`. */
export function sameInner(schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
  const changes = changesOf(schema, change)
  for (const key of REVERSING)
    note(changes, schema, key, (value) => (isJsonObject(value) ? change(value) : value))
  return Object.keys(changes).length === 0 ? schema : { ...schema, ...changes }
}

function changesOf(schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
  const inner = (value: unknown): unknown => (isJsonObject(value) ? change(value) : value)
  const changes: JsonObject = {}
  for (const key of ONE) note(changes, schema, key, inner)
  for (const key of LISTED)
    note(changes, schema, key, (list) => (Array.isArray(list) ? sameOr(list, list.map(inner)) : list))
  for (const key of BY_NAME)
    note(changes, schema, key, (map) => (isJsonObject(map) ? eachOf(map, inner) : map))
  return changes
}

export const without = (schema: JsonObject, keys: readonly string[]): JsonObject =>
  carrySources(schema, Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key))))

function note(
  changes: JsonObject,
  schema: JsonObject,
  key: string,
  change: (value: unknown) => unknown,
): void {
  const value = key in changes ? changes[key] : schema[key]
  const changed = change(value)
  if (changed !== value) changes[key] = changed
}

/** Loosened alternatives may overlap, which `oneOf` forbids. */
function anyOfThem({ oneOf, ...schema }: JsonObject): JsonObject {
  return 'anyOf' in schema
    ? { ...schema, allOf: [...listOf(schema['allOf']), { anyOf: oneOf }] }
    : { ...schema, anyOf: oneOf }
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const sameOr = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((item, index) => item === before[index]) ? before : after

function eachOf(map: JsonObject, change: (value: unknown) => unknown): JsonObject {
  const entries = Object.entries(map).map(([name, value]): [string, unknown] => [name, change(value)])
  const isSame = entries.every(([name, value]) => value === map[name])
  return isSame ? map : carrySources(map, Object.fromEntries(entries))
}
