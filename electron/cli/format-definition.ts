import { childPath } from '../engine/approvals/describe-change.ts'
import { isJsonObject, type JsonObject } from '../engine/protocol/json-rpc.ts'

export interface ReadableDefinition {
  readonly lines: readonly string[]
  /** As from `listPlaces`. */
  readonly printed: ReadonlySet<string>
}

/** So that a server's words can't pass for ours. */
export const quoted = (text: string): string => `│ ${text.replaceAll('\n', '\n│ ')}`

interface Parameter {
  readonly name: string
  readonly type: string
  readonly description: string
}

const DEEPEST = 6

/** Title, description and one line per parameter: name, type, required, purpose. */
export function formatDefinition(kind: string, definition: unknown): ReadableDefinition {
  const printed = new Set<string>()
  if (!isJsonObject(definition) || (kind !== 'tool' && kind !== 'prompt')) return { lines: [], printed }
  printed.add('name')
  const heads = ['title', 'description'].flatMap((key) => {
    const text = definition[key]
    if (typeof text !== 'string') return []
    printed.add(key)
    return [quoted(text)]
  })
  const lists = [
    ['Parameters:', parametersOf(definition, 'inputSchema', printed)],
    ['Arguments:', argumentsOf(definition, printed)],
    ['Returns:', parametersOf(definition, 'outputSchema', printed)],
  ] as const
  const tables = lists.flatMap(([title, list]) => (list.length === 0 ? [] : [title, ...table(list)]))
  return { lines: [...heads, ...tables], printed }
}

function parametersOf(definition: JsonObject, field: string, printed: Set<string>): Parameter[] {
  const schema = definition[field]
  if (!isJsonObject(schema)) return []
  const dialect = schema['$schema']
  if (schema['type'] === 'object') printed.add(childPath(field, 'type'))
  if (typeof dialect === 'string' && /^https?:\/\/json-schema\.org\/[\w./#-]*$/.test(dialect))
    printed.add(childPath(field, '$schema'))
  return membersOf({ schema, path: field, prefix: '', depth: 1 }, printed)
}

interface Place {
  readonly schema: JsonObject
  readonly path: string
  /** Of member names. */
  readonly prefix: string
  readonly depth: number
}

function membersOf({ schema, path, prefix, depth }: Place, printed: Set<string>): Parameter[] {
  const { properties } = schema
  if (!isJsonObject(properties)) return []
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).flatMap(([key, member]) => {
    if (!isJsonObject(member)) return []
    const index = required.indexOf(key)
    if (index >= 0) printed.add(childPath(childPath(path, 'required'), String(index), true))
    const at = childPath(childPath(path, 'properties'), key)
    return describe({ schema: member, path: at, prefix: `${prefix}${key}`, depth }, index >= 0, printed)
  })
}

function describe(place: Place, isRequired: boolean, printed: Set<string>): Parameter[] {
  const { schema, path, prefix: name, depth } = place
  const more = isRequired ? ['required'] : []
  const type = typeOf(schema, path, printed)
  for (const [key, value] of Object.entries(schema)) {
    const at = childPath(path, key)
    if (key === 'description' || printed.has(at) || typeof value === 'object') continue
    printed.add(at)
    more.push(`${key} ${JSON.stringify(value)}`)
  }
  const { description } = schema
  if (typeof description === 'string') printed.add(childPath(path, 'description'))
  const own = {
    name,
    type: [type, ...more].join(', '),
    description: typeof description === 'string' ? description : '',
  }
  if (depth >= DEEPEST) return [own]
  return [
    own,
    ...membersOf({ schema, path, prefix: `${name}.`, depth: depth + 1 }, printed),
    ...itemsOf(place, printed),
  ]
}

function itemsOf({ schema, path, prefix, depth }: Place, printed: Set<string>): Parameter[] {
  const { items } = schema
  if (!isJsonObject(items) || Object.keys(items).every((key) => key === 'type')) return []
  const place = { schema: items, path: childPath(path, 'items'), prefix: `${prefix}[]`, depth: depth + 1 }
  return describe(place, false, printed)
}

/** `string`, `"a" | "b"`, `list of number`. */
function typeOf(schema: JsonObject, path: string, printed: Set<string>): string {
  const { type, enum: choices, items } = schema
  const typePath = childPath(path, 'type')
  if (Array.isArray(choices) && choices.length > 0 && choices.every((choice) => !isCompound(choice))) {
    choices.forEach((_, index) => printed.add(childPath(childPath(path, 'enum'), String(index), true)))
    if (typeof type === 'string') printed.add(typePath)
    return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  }
  if (Array.isArray(type) && type.every((each) => typeof each === 'string')) {
    type.forEach((_, index) => printed.add(childPath(typePath, String(index), true)))
    return type.join(' | ')
  }
  if (typeof type !== 'string') return 'anything'
  printed.add(typePath)
  if (type !== 'array') return type
  const itemType = isJsonObject(items) ? items['type'] : undefined
  if (typeof itemType !== 'string') return 'list'
  printed.add(childPath(childPath(path, 'items'), 'type'))
  return `list of ${itemType}`
}

const isCompound = (value: unknown): boolean => typeof value === 'object' && value !== null

function argumentsOf(definition: JsonObject, printed: Set<string>): Parameter[] {
  const list = definition['arguments']
  if (!Array.isArray(list)) return []
  return list.flatMap((argument: unknown, index): Parameter[] => {
    if (!isJsonObject(argument)) return []
    const path = childPath('arguments', String(index), true)
    const { name, description, required } = argument
    if (typeof name !== 'string') return []
    printed.add(childPath(path, 'name'))
    if (typeof required === 'boolean') printed.add(childPath(path, 'required'))
    if (typeof description === 'string') printed.add(childPath(path, 'description'))
    return [
      {
        name,
        type: required === true ? 'required' : 'optional',
        description: typeof description === 'string' ? description : '',
      },
    ]
  })
}

const WIDEST_COLUMN = 32

function table(parameters: readonly Parameter[]): string[] {
  const width = (of: (parameter: Parameter) => string): number =>
    Math.min(WIDEST_COLUMN, Math.max(...parameters.map((parameter) => of(parameter).length)))
  const names = width(({ name }) => name)
  const types = width(({ type }) => type)
  return parameters.map(({ name, type, description }) =>
    `  ${name.padEnd(names)}  ${type.padEnd(types)}  ${description.replaceAll(/\s*\n\s*/g, ' ⏎ ')}`.trimEnd(),
  )
}
