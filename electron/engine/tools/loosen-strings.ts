import type { ToolPolicy } from '../../../shared/settings.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

/** What JSON Schema can demand of a string and `[EMAIL_1]` does not keep. */
const STRING_DEMANDS = ['format', 'pattern', 'minLength', 'maxLength'] as const
/** Keywords whose values are schemas by name, one schema, or a list of schemas. */
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const ONE = [
  'items',
  'additionalProperties',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const
const LISTED = ['prefixItems', 'allOf', 'anyOf', 'oneOf', 'items'] as const
/** Below these a looser schema means a stricter one. */
const REVERSING = ['not', 'if', 'then', 'else'] as const
const DEEPEST = 100

/**
 * A tool's definition for a client that sees stand-ins in place of personal data: clients check results against
 * `outputSchema`, and models fill in arguments by `inputSchema`.
 */
export function forStandIns(definition: JsonObject, { masking }: Pick<ToolPolicy, 'masking'>): JsonObject {
  const masksNothing = masking.types.length === 0 && Object.keys(masking.customPatterns).length === 0
  if (masking.direction !== 'from-model' || masksNothing) return definition
  const schemas = ['inputSchema', 'outputSchema'].flatMap((key): [string, unknown][] =>
    isJsonObject(definition[key]) ? [[key, loosenStrings(definition[key])]] : [],
  )
  return { ...definition, ...Object.fromEntries(schemas) }
}

/** A schema without what it demands of strings but their values; the same object where it demands nothing. */
export function loosenStrings(schema: JsonObject, depth = 0): JsonObject {
  if (depth > DEEPEST) return schema
  const inner = (value: unknown): unknown => (isJsonObject(value) ? loosenStrings(value, depth + 1) : value)
  const changes: JsonObject = {}
  for (const key of ONE) note(changes, schema, key, inner)
  for (const key of LISTED)
    note(changes, schema, key, (list) => (Array.isArray(list) ? sameOr(list, list.map(inner)) : list))
  for (const key of BY_NAME)
    note(changes, schema, key, (map) => (isJsonObject(map) ? eachOf(map, inner) : map))
  const dropped: string[] = STRING_DEMANDS.filter((key) => key in schema && !isJsonObject(schema[key]))
  for (const key of REVERSING) if (inner(schema[key]) !== schema[key]) dropped.push(key)
  if (dropped.length === 0 && Object.keys(changes).length === 0) return schema
  const loosened = Object.fromEntries(
    Object.entries({ ...schema, ...changes }).filter(([key]) => !dropped.includes(key)),
  )
  return 'oneOf' in changes ? anyOfThem(loosened) : loosened
}

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

/** Alternatives that differed only in a pattern now fit together, which `oneOf` forbids. */
function anyOfThem({ oneOf, ...schema }: JsonObject): JsonObject {
  return 'anyOf' in schema
    ? { ...schema, allOf: [...listOf(schema['allOf']), { anyOf: oneOf }] }
    : { ...schema, anyOf: oneOf }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const sameOr = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((item, index) => item === before[index]) ? before : after

function eachOf(map: JsonObject, change: (value: unknown) => unknown): JsonObject {
  const entries = Object.entries(map).map(([name, value]): [string, unknown] => [name, change(value)])
  return entries.every(([name, value]) => value === map[name]) ? map : Object.fromEntries(entries)
}
