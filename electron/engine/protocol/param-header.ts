import { sourceOf } from './exact-json.ts'
import type { JsonObject } from './json-rpc.ts'
import { isJsonObject } from './json-rpc.ts'

/** An argument that clients of 2026-07-28 repeat in a header (`x-mcp-header` in a tool's input schema). */
export interface ParamHeader {
  readonly path: readonly string[]
  /** Lower case, with its prefix, as Node names headers. */
  readonly header: string
}

/** The headers that an input schema declares. Only properties reachable through `properties` alone may. */
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

/** The argument at this path as a header would say it; undefined where it is missing or no plain value. */
export function argumentAt(args: unknown, { path }: ParamHeader): string | undefined {
  const holder = path.slice(0, -1).reduce<unknown>((node, key) => inside(node, key), args)
  const last = path.at(-1) ?? ''
  const value = inside(holder, last)
  if (typeof value === 'number' && isJsonObject(holder)) return sourceOf(holder, last) ?? String(value)
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}

const inside = (node: unknown, key: string): unknown => (isJsonObject(node) ? node[key] : undefined)

/** Visible ASCII without spaces at the ends goes as it is, everything else as base64 of its UTF-8 bytes. */
export const encodeHeaderValue = (value: string): string =>
  /^[\x21-\x7E](?:[\x20-\x7E\t]*[\x21-\x7E])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`

/** Undefined for what says that it is base64 and is not. */
export function decodeHeaderValue(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined
}

/** What is wrong with the headers that repeat arguments of a call; undefined where nothing is. */
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

/** `42.0` and `42` are equal. */
const isSameNumber = (one: string, other: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(one) && /^-?\d+(\.\d+)?$/.test(other) && Number(one) === Number(other)
