import { createHash } from 'node:crypto'
import { carrySources, sourceOf, withSource } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { without } from './change-inner.ts'

/** Accepted by strict clients' APIs, which don't check inner names. */
const PLAIN = /^[A-Za-z0-9_.-]{1,64}$/
const LONGEST = 64
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

/** By their replacements. */
export function renamedParameters(schema: unknown): ReadonlyMap<string, string> {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(properties)) return new Map()
  const odd = Object.keys(properties).filter((name) => !PLAIN.test(name))
  return new Map(odd.map((name) => [plainName(name), name]))
}

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

function plainName(name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6)
  const kept = name.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, LONGEST - mark.length - 1)
  return `${kept}_${mark}`
}

/** The original name, for the model. */
const withTitle = (schema: unknown, name: string): unknown =>
  isJsonObject(schema) ? { ...schema, title: name } : schema
