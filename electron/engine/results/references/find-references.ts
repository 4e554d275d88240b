import { carrySources } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { isReference } from './parse-reference.ts'

export type Path = readonly (string | number)[]

export interface FoundReference {
  readonly path: Path
  readonly text: string
}

/** Of `_sluice_goal` and the like. */
const OWN_PREFIX = '_sluice_'

/** In values at any depth; keys aren't arguments. */
export const findReferences = (args: JsonObject | undefined): FoundReference[] =>
  args !== undefined && mayHold(args) ? found(args) : []

/** Most calls have none, and need no paths. */
function mayHold(args: JsonObject): boolean {
  const open: unknown[] = [args]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') {
      if (isReference(value)) return true
    } else if (Array.isArray(value)) for (const item of value as unknown[]) open.push(item)
    else if (isJsonObject(value)) for (const key in value) open.push(value[key])
  }
  return false
}

function found(args: JsonObject): FoundReference[] {
  const references: FoundReference[] = []
  const open: { readonly value: unknown; readonly path: Path }[] = [{ value: args, path: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next
    if (typeof value === 'string') {
      if (isReference(value)) references.push({ path, text: value })
    } else if (Array.isArray(value))
      value.forEach((item, index) => open.push({ value: item, path: [...path, index] }))
    else if (isJsonObject(value))
      for (const [key, item] of Object.entries(value))
        if (path.length > 0 || !key.startsWith(OWN_PREFIX)) open.push({ value: item, path: [...path, key] })
  }
  return references
}

/** Copies what leads to the place. */
export function withValue(holder: unknown, [head, ...rest]: Path, value: unknown): unknown {
  if (head === undefined) return value
  if (Array.isArray(holder)) {
    const copy = carrySources(holder, [...(holder as unknown[])])
    copy[Number(head)] = withValue(holder[Number(head)], rest, value)
    return copy
  }
  const copy = { ...(holder as JsonObject) }
  const inner = withValue(copy[head], rest, value)
  Object.defineProperty(copy, head, { value: inner, enumerable: true, configurable: true, writable: true })
  return copy
}

/** What the tool's schema takes at this place, where it says so plainly. */
export function typesAt(schema: unknown, path: Path): readonly string[] | undefined {
  const place = path.reduce<unknown>((node, key) => {
    if (!isJsonObject(node)) return undefined
    if (typeof key === 'number') return node['items']
    const { properties, additionalProperties } = node
    return isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties
  }, schema)
  const type = isJsonObject(place) ? place['type'] : undefined
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((each): each is string => typeof each === 'string') : undefined
}
