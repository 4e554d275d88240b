import type { JsonObject, JsonRpcRequest } from '../protocol/json-rpc.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'

interface Declaration {
  readonly path: readonly string[]
  readonly header: string
}

/**
 * 2026-07-28 over HTTP: a tool may declare (`x-mcp-header` in its input schema) that arguments are repeated in
 * `Mcp-Param-*` headers, and servers refuse calls that lack them. Learned from the lists that pass by.
 */
export class ParamHeaders {
  readonly #declarations = new Map<string, readonly Declaration[]>()

  learn(request: JsonRpcRequest, result: JsonObject): void {
    if (request.method !== 'tools/list' || !Array.isArray(result['tools'])) return
    for (const tool of result['tools'].filter(isJsonObject)) {
      if (typeof tool['name'] === 'string')
        this.#declarations.set(tool['name'], declarationsIn(tool['inputSchema']))
    }
  }

  headersFor(request: JsonRpcRequest): Record<string, string> {
    const name = request.params?.['name']
    if (request.method !== 'tools/call' || typeof name !== 'string') return {}
    const found = (this.#declarations.get(name) ?? []).flatMap(({ path, header }) => {
      const value = path.reduce<unknown>(
        (node, key) => (isJsonObject(node) ? node[key] : undefined),
        request.params?.['arguments'],
      )
      const isPrimitive = ['string', 'number', 'boolean'].includes(typeof value)
      return isPrimitive ? [[`Mcp-Param-${header}`, encoded(String(value))] as const] : []
    })
    return Object.fromEntries(found)
  }
}

/** Only properties reachable through `properties` alone may declare a header. */
function declarationsIn(schema: unknown, path: readonly string[] = []): Declaration[] {
  if (!isJsonObject(schema)) return []
  const header = schema['x-mcp-header']
  const own = typeof header === 'string' && path.length > 0 ? [{ path, header }] : []
  const { properties } = schema
  if (!isJsonObject(properties)) return own
  return [
    ...own,
    ...Object.entries(properties).flatMap(([key, child]) => declarationsIn(child, [...path, key])),
  ]
}

/** Visible ASCII without spaces at the ends goes as it is, everything else as base64 of its UTF-8 bytes. */
const encoded = (value: string): string =>
  /^[\x21-\x7E](?:[\x20-\x7E\t]*[\x21-\x7E])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
