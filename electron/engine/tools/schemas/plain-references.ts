import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { changeInner, without } from './change-inner.ts'

/** Referable definitions; others are inlined. */
const NAMED = /^#\/(\$defs|definitions)\/([^/]+)$/
const MOST_COPIES = 200
const DEEPEST = 60

interface Walk {
  readonly root: JsonObject
  /** By `$ref`, in order of appearance. */
  readonly done: Map<string, { schema: JsonObject; isLooser: boolean }>
  readonly changes: { count: number; copies: number }
}

/**
 * To local definitions without cycles, which strict clients follow until they fail. Cyclic, external and missing
 * references accept any value of their type.
 */
export function plainReferences(root: JsonObject): JsonObject {
  const walk: Walk = { root, done: new Map(), changes: { count: 0, copies: 0 } }
  const { $defs: defs, definitions, $id: _id, ...body } = root
  const plain = visit(body, walk, [])
  if (walk.changes.count === 0) return root
  const kept = (key: string, had: unknown): JsonObject => {
    if (!isJsonObject(had)) return {}
    const used = Object.keys(had).flatMap((name): [string, JsonObject][] => {
      const found = walk.done.get(`#/${key}/${encode(name)}`)
      return found ? [[name, found.schema]] : []
    })
    return used.length === 0 ? {} : { [key]: Object.fromEntries(used) }
  }
  return { ...plain, ...kept('$defs', defs), ...kept('definitions', definitions) }
}

/** `within`: references that led here. */
function visit(schema: JsonObject, walk: Walk, within: readonly string[]): JsonObject {
  // Its references would start from there.
  if (typeof schema['$id'] === 'string') return cut({}, schema, walk)
  const { $ref: ref, ...beside } = without(schema, ['$dynamicRef', '$recursiveRef'])
  const isDynamic = '$dynamicRef' in schema || '$recursiveRef' in schema
  if (isDynamic) walk.changes.count++
  const rest = within.length > DEEPEST ? beside : changeInner(beside, (inner) => visit(inner, walk, within))
  const own = isDynamic ? evaluatesLess(rest) : rest
  if (typeof ref !== 'string') return isDynamic || rest !== beside ? own : schema
  const target = within.includes(ref) || within.length > DEEPEST ? undefined : targetOf(walk.root, ref)
  if (!target || target === walk.root) return cut(own, targetOf(walk.root, ref), walk)
  if (NAMED.test(ref)) {
    const known = walk.done.get(ref) ?? define(ref, target, walk, within)
    return known.isLooser || rest !== beside ? { ...evaluatesLess(own), $ref: ref } : schema
  }
  walk.changes.count++
  if (++walk.changes.copies > MOST_COPIES) return cut(own, target, walk)
  const copy = visit(target, walk, [...within, ref])
  return Object.keys(own).length === 0 ? copy : { ...own, allOf: [...listed(own['allOf']), copy] }
}

function define(ref: string, target: JsonObject, walk: Walk, within: readonly string[]) {
  const schema = visit(target, walk, [...within, ref])
  const found = { schema, isLooser: schema !== target }
  walk.done.set(ref, found)
  return found
}

function cut(beside: JsonObject, target: JsonObject | undefined, walk: Walk): JsonObject {
  walk.changes.count++
  const description = target?.['description']
  const type = target?.['type']
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof description === 'string' ? { description: description } : {}),
    ...evaluatesLess(beside),
  }
}

/** What is no longer evaluated must not be rejected. */
const evaluatesLess = (schema: JsonObject): JsonObject =>
  'unevaluatedProperties' in schema || 'unevaluatedItems' in schema
    ? without(schema, ['unevaluatedProperties', 'unevaluatedItems'])
    : schema

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Undefined unless local. */
export function targetOf(root: JsonObject, ref: string): JsonObject | undefined {
  if (ref === '#') return root
  if (ref.startsWith('#') && !ref.startsWith('#/')) return anchored(root, ref.slice(1), 0)
  if (!ref.startsWith('#/')) return undefined
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, part) => {
      const key = decode(part)
      if (Array.isArray(value)) return value[Number(key)] as unknown
      return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    }, root)
  return found === true ? {} : isJsonObject(found) ? found : undefined
}

function anchored(value: unknown, name: string, depth: number): JsonObject | undefined {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return undefined
  if (isJsonObject(value) && (value['$anchor'] === name || value['$dynamicAnchor'] === name)) return value
  for (const part of Object.values(value)) {
    const found = anchored(part, name, depth + 1)
    if (found) return found
  }
  return undefined
}

const encode = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function decode(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
