import { sourceOf } from './exact-json.ts'
import type { JsonObject } from './json-rpc.ts'
import { isJsonObject } from './json-rpc.ts'

/** 2026-07-28 clients repeat the argument in a header (`x-mcp-header` in the input schema). */
export interface ParamHeader {
  readonly path: readonly string[]
  readonly header: string
}

/** Only properties reached through `properties` may declare one. */
export function paramHeadersIn(schema: unknown, path: readonly string[] = []): ParamHeader[] {
  if (!isJsonObject(schema)) return []
  const name = schema['x-mcp-header']
  const own =
    typeof name === 'string' && path.length > 0 ? [{ path, header: `mcp-param-${name.toLowerCase()}` }] : []
  const { properties } = schema
  if (!isJsonObject(properties)) return own
  return [
    ...own,
    ...Object.entries(properties).flatMap(([key, child]) => paramHeadersIn(child, [...path, key])),
  ]
}

export function argumentAt(args: unknown, { path }: ParamHeader): string | undefined {
  const holder = path.slice(0, -1).reduce<unknown>((node, key) => inside(node, key), args)
  const last = path.at(-1) ?? ''
  const value = inside(holder, last)
  if (typeof value === 'number' && isJsonObject(holder)) return sourceOf(holder, last) ?? String(value)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}

const inside = (node: unknown, key: string): unknown => (isJsonObject(node) ? node[key] : undefined)

/** Visible ASCII without outer spaces stays; all else as base64 of UTF-8. */
export const encodeHeaderValue = (value: string): string =>
  /^[\x21-\x7E](?:[\x20-\x7E\t]*[\x21-\x7E])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** Undefined for invalid base64. */
export function decodeHeaderValue(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined
}

/** Undefined if valid. */
export function paramHeaderProblem(
  schema: unknown,
  args: JsonObject | undefined,
  headerOf: (name: string) => string | undefined,
): string | undefined {
  for (const declared of paramHeadersIn(schema)) {
    const wanted = argumentAt(args, declared)
    if (wanted === undefined) continue
    const given = headerOf(declared.header)
    const where = declared.path.join('.')
    if (given === undefined) return `the ${declared.header} header is missing, and the body has ${where}`
    const decoded = decodeHeaderValue(given.trim())
    if (decoded === undefined) return `the ${declared.header} header is no valid Base64`
    if (decoded !== wanted && !isSameNumber(decoded, wanted))
      return `the ${declared.header} header does not say what the body says in ${where}`
  }
  return undefined
}

/** `42.0` equals `42`. */
const isSameNumber = (one: string, other: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(one) && /^-?\d+(\.\d+)?$/.test(other) && Number(one) === Number(other)
