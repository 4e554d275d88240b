import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

/** E.g. `options.maxLength`. A backslash escapes a dot. */
export const parsePath = (path: string): string[] =>
  path.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))

/** Would reach a prototype. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns a copy; creates missing objects. */
export function withValueAt(target: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [head, ...rest] = path
  if (head === undefined || forbidden.has(head)) return target
  if (rest.length === 0) return { ...target, [head]: value }
  const inner = target[head]
  return { ...target, [head]: withValueAt(isJsonObject(inner) ? inner : {}, rest, value) }
}

export function withoutValueAt(target: JsonObject, path: readonly string[]): JsonObject {
  const [head, ...rest] = path
  if (head === undefined || !Object.hasOwn(target, head)) return target
  if (rest.length === 0) {
    const { [head]: _taken, ...others } = target
    return others
  }
  const inner = target[head]
  return isJsonObject(inner) ? { ...target, [head]: withoutValueAt(inner, rest) } : target
}

export function withoutParameter(schema: JsonObject, path: readonly string[]): JsonObject {
  const [head, ...rest] = path
  const properties = schema['properties']
  if (head === undefined || !isJsonObject(properties) || !Object.hasOwn(properties, head)) return schema
  if (rest.length > 0) {
    const inner = properties[head]
    if (!isJsonObject(inner)) return schema
    return { ...schema, properties: { ...properties, [head]: withoutParameter(inner, rest) } }
  }
  const { [head]: _hidden, ...shown } = properties
  const { required, ...others } = schema
  const stillRequired = Array.isArray(required) ? required.filter((name) => name !== head) : []
  return { ...others, properties: shown, ...(stillRequired.length > 0 ? { required: stillRequired } : {}) }
}
