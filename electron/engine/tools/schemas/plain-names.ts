import { createHash } from 'node:crypto'
import { carrySources, sourceOf, withSource } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { without } from './change-inner.ts'

/** What the APIs behind strict clients take as a parameter's name; of inner ones they check nothing. */
const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/
const LONGEST = 64
/** Names in these would have to be changed as well; the server checks them itself. */
const NAMING = [
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
]

/** Names a strict client can't take, by the name that it is shown in their place. */
export function renamedParameters(schema: unknown): ReadonlyMap<string, string> {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(properties)) return new Map()
  const odd = Object.keys(properties).filter((name) => !PLAIN.test(name))
  return new Map(odd.map((name) => [plainName(name), name]))
}

/** A schema whose parameters all have plain names. */
export function plainNames(schema: JsonObject): JsonObject {
  const names = new Map([...renamedParameters(schema)].map(([plain, odd]) => [odd, plain]))
  const { properties, required, ...rest } = schema
  if (names.size === 0 || !isJsonObject(properties)) return schema
  const renamed = Object.entries(properties).map(([name, value]): [string, unknown] => {
    const plain = names.get(name)
    return plain === undefined ? [name, value] : [plain, withTitle(value, name)]
  })
  return {
    ...without(rest, NAMING),
    properties: carrySources(properties, Object.fromEntries(renamed)),
    ...(Array.isArray(required)
      ? { required: required.map((name: unknown) => names.get(String(name)) ?? name) }
      : {}),
  }
}

/** A call's arguments under the server's own names. */
export function withOwnNames(args: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  if (![...names.keys()].some((plain) => Object.hasOwn(args, plain))) return args
  const nameOf = (shown: string): string => {
    const own = names.get(shown)
    return own === undefined || Object.hasOwn(args, own) ? shown : own
  }
  const entries = Object.entries(args)
  const renamed = Object.fromEntries(entries.map(([shown, value]) => [nameOf(shown), value]))
  for (const [shown] of entries) {
    const text = sourceOf(args, shown)
    if (text !== undefined) withSource(renamed, nameOf(shown), text)
  }
  return renamed
}

/** The name as far as it can be kept, and a mark that no other name has. */
function plainName(name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6)
  const kept = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, LONGEST - mark.length - 1)
  return `${kept}_${mark}`
}

/** The model reads what the parameter is called where it is used. */
const withTitle = (schema: unknown, name: string): unknown =>
  isJsonObject(schema) ? { ...schema, title: name } : schema
