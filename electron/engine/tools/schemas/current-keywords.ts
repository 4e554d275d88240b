import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { changeInner, without } from './change-inner.ts'

const OLD_DIALECT = /^https?:\/\/json-schema\.org\/draft-0[3-7]\/schema#?$/
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
/** And so unchecked there. */
const UNKNOWN_TO_OLD = [
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
  'minContains',
  'maxContains',
  '$dynamicRef',
]
/** Unchecked in older dialects. */
const BESIDE_REF = new Set([
  '$ref',
  '$schema',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
])
const DEEPEST = 100

/**
 * Older drafts to JSON Schema 2020-12, MCP's dialect; omits invalid values. Never stricter; the same object if
 * nothing is old.
 */
export function currentKeywords(schema: JsonObject, depth = 0, isOld = saysOld(schema)): JsonObject {
  if (depth > DEEPEST) return schema
  const known = isOld ? onlyKnown(schema) : schema
  const translated = [tuples, dependencies, bounds, wrongValues].reduce((value, step) => step(value), known)
  const current = changeInner(translated, (part) => currentKeywords(part, depth + 1, isOld || saysOld(part)))
  return saysOld(current) ? without(current, ['$schema']) : current
}

const saysOld = ({ $schema: dialect }: JsonObject): boolean =>
  typeof dialect === 'string' && OLD_DIALECT.test(dialect)

function onlyKnown(schema: JsonObject): JsonObject {
  const ignored = Object.keys(schema).filter(
    (key) => UNKNOWN_TO_OLD.includes(key) || ('$ref' in schema && !BESIDE_REF.has(key)),
  )
  return ignored.length === 0 ? schema : without(schema, ignored)
}

function tuples(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['items']))
    return 'additionalItems' in schema ? without(schema, ['additionalItems']) : schema
  const { items, additionalItems, ...rest } = schema
  return {
    ...rest,
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  }
}

function dependencies(schema: JsonObject): JsonObject {
  const { dependencies: both, ...rest } = schema
  if (both === undefined) return schema
  const entries = isJsonObject(both) ? Object.entries(both) : []
  const names = entries.filter(([, needs]) => Array.isArray(needs))
  const schemas = entries.filter(([, needs]) => isJsonObject(needs) || typeof needs === 'boolean')
  const merged = (key: string, added: readonly [string, unknown][]): JsonObject =>
    added.length === 0
      ? {}
      : { [key]: { ...(isJsonObject(rest[key]) ? rest[key] : {}), ...Object.fromEntries(added) } }
  return { ...rest, ...merged('dependentRequired', names), ...merged('dependentSchemas', schemas) }
}

/** Draft 4: `exclusiveMinimum: true` refers to `minimum`. */
function bounds(schema: JsonObject): JsonObject {
  return ['Minimum', 'Maximum'].reduce((value, end) => {
    const [exclusive, plain] = [`exclusive${end}`, end.toLowerCase()]
    if (typeof value[exclusive] !== 'boolean') return value
    const rest = without(value, [exclusive])
    if (!value[exclusive] || typeof value[plain] !== 'number') return rest
    return { ...without(rest, [plain]), [exclusive]: value[plain] }
  }, schema)
}

/** `required: true`, `type: "any"`, `properties: null`: strict clients reject the whole list for these. */
function wrongValues(schema: JsonObject): JsonObject {
  const wrong = Object.entries(schema).filter(([key, value]) => isWrong(key, value))
  return wrong.length === 0
    ? schema
    : without(
        schema,
        wrong.map(([key]) => key),
      )
}

function isWrong(key: string, value: unknown): boolean {
  switch (key) {
    case 'type': {
      const types: readonly unknown[] = Array.isArray(value) ? value : [value]
      return types.length === 0 || !types.every((type) => typeof type === 'string' && TYPES.has(type))
    }
    case 'required':
    case 'enum':
      return !Array.isArray(value)
    case 'properties':
    case 'patternProperties':
      return !isJsonObject(value)
    case 'description':
    case 'title':
      return typeof value !== 'string'
    default:
      return false
  }
}
