import { isJsonObject, type JsonObject } from './json-rpc.ts'

const HEADER = 'x-mcp-header'
/** RFC 9110's token. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
const SCHEMAS = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]
/** … and by name. */
const NAMED_SCHEMAS = ['patternProperties', 'dependentSchemas', '$defs', 'definitions']

interface Place {
  readonly schema: JsonObject
  readonly path: string
  /** Through property names only. */
  readonly isReachable: boolean
}

/**
 * Why 2026-07-28 clients over HTTP must omit a tool: its input schema breaks a rule on headers that repeat arguments.
 */
export function paramHeaderFault(inputSchema: unknown): string | undefined {
  const seen = new Map<string, string>()
  const open: Place[] = isJsonObject(inputSchema)
    ? [{ schema: inputSchema, path: '', isReachable: true }]
    : []
  // Iterative: accepts any depth.
  for (let place = open.pop(); place; place = open.pop()) {
    const { schema, path } = place
    if (Object.hasOwn(schema, HEADER)) {
      const fault = faultOf(place, seen)
      if (fault !== undefined) return fault
      seen.set(String(schema[HEADER]).toLowerCase(), path)
    }
    open.push(...placesIn(place))
  }
  return undefined
}

function faultOf(
  { schema, path, isReachable }: Place,
  seen: ReadonlyMap<string, string>,
): string | undefined {
  const header = schema[HEADER]
  const where = path === '' ? 'the input schema itself' : `"${path}"`
  if (!isReachable || path === '') return `${HEADER} is at ${where}; only a named property may have it`
  if (typeof header !== 'string' || header === '')
    return `${HEADER} of ${where} must be a text that isn't empty`
  if (!TOKEN.test(header)) return `${HEADER} ${JSON.stringify(header)} of ${where} isn't a valid header name`
  if (!TYPES.has(schema['type']))
    return `${HEADER} of ${where} is at a value of type ${JSON.stringify(schema['type'] ?? 'none')}; only string, integer and boolean may have it`
  const other = seen.get(header.toLowerCase())
  return other === undefined
    ? undefined
    : `${HEADER} "${header}" is at "${other}" and at ${where}; a header can be used once`
}

function placesIn({ schema, path, isReachable }: Place): Place[] {
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`)
  const places: Place[] = []
  const add = (inner: unknown, name: string, isNamed: boolean): void => {
    if (isJsonObject(inner)) places.push({ schema: inner, path: name, isReachable: isReachable && isNamed })
  }
  for (const key of SCHEMAS) for (const inner of [schema[key]].flat()) add(inner, below(`<${key}>`), false)
  for (const key of [...NAMED_SCHEMAS, 'properties']) {
    const named = schema[key]
    if (!isJsonObject(named)) continue
    const isNamed = key === 'properties'
    for (const [name, inner] of Object.entries(named))
      add(inner, below(isNamed ? name : `<${key}>.${name}`), isNamed)
  }
  return places
}
