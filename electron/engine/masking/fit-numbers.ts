import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { carrySources, sourceOf } from '../protocol/exact-json.ts'
import type { Vault } from './vault.ts'

const DEEPEST = 100

/**
 * Arguments whose placeholders were replaced, with a number where the tool's schema wants one and a text where it wants
 * a text. Without a schema they stay.
 */
export function fitNumbers(
  sent: JsonObject | undefined,
  restored: JsonObject | undefined,
  definition: JsonObject | undefined,
  vault: Vault,
): JsonObject | undefined {
  const schema = definition?.['inputSchema']
  if (!restored || !isJsonObject(schema)) return restored
  const root = schema
  const members = (before: JsonObject, now: JsonObject, own: JsonObject, depth: number): JsonObject => {
    let changed: JsonObject | undefined
    for (const [key, value] of Object.entries(now)) {
      const inner = resolved(memberOf(own, key), root)
      const next = inner ? fit(before[key], value, { holder: now, key }, inner, depth + 1) : value
      if (next !== value) (changed ??= carrySources(now, { ...now }))[key] = next
    }
    return changed ?? now
  }
  const fit = (
    before: unknown,
    now: unknown,
    place: { holder: object; key: string },
    own: JsonObject,
    depth: number,
  ): unknown => {
    if (depth > DEEPEST) return now
    if (typeof before === 'string') return fitting(before, now, place, own)
    if (isJsonObject(before) && isJsonObject(now)) return members(before, now, own, depth)
    const items = resolved(own['items'], root)
    if (!Array.isArray(before) || !Array.isArray(now) || !items) return now
    const list: readonly unknown[] = now
    const fitted = list.map((item, index) =>
      fit(before[index], item, { holder: list, key: String(index) }, items, depth + 1),
    )
    return fitted.every((item, index) => item === list[index]) ? now : carrySources(list, fitted)
  }
  const fitting = (
    before: string,
    now: unknown,
    { holder, key }: { holder: object; key: string },
    own: JsonObject,
  ): unknown => {
    const types = typesOf(own)
    const wantsNumber = types.has('number') || types.has('integer')
    if (typeof now === 'number')
      return types.has('string') && !wantsNumber ? (sourceOf(holder, key) ?? String(now)) : now
    if (typeof now !== 'string' || !wantsNumber || vault.valueOf(before) !== now) return now
    const isNumber = String(Number(now)) === now
    return isNumber && (vault.isOfNumber(before) || !types.has('string')) ? Number(now) : now
  }
  return members(sent ?? {}, restored, root, 0)
}

const memberOf = (schema: JsonObject, key: string): unknown => {
  const own = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.hasOwn(own, key) ? own[key] : schema['additionalProperties']
}

/** Of the same document. */
function resolved(schema: unknown, root: JsonObject): JsonObject | undefined {
  let found = schema
  for (let step = 0; step < 10 && isJsonObject(found) && typeof found['$ref'] === 'string'; step++) {
    const path = found['$ref'].split('/')
    if (path.shift() !== '#') return undefined
    found = path.reduce<unknown>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      root,
    )
  }
  return isJsonObject(found) ? found : undefined
}

/** Alternatives, too. */
function typesOf(schema: JsonObject, depth = 0): ReadonlySet<unknown> {
  const { type } = schema
  const own: readonly unknown[] = Array.isArray(type) ? type : [type]
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const list: unknown = schema[key]
    return Array.isArray(list) && depth < 3 ? list.filter(isJsonObject) : []
  })
  return new Set([...own, ...alternatives.flatMap((inner) => [...typesOf(inner, depth + 1)])])
}
