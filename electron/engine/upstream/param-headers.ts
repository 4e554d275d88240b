import type { JsonObject, JsonRpcRequest } from '../protocol/json-rpc.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import { argumentAt, encodeHeaderValue, paramHeadersIn, type ParamHeader } from '../protocol/param-header.ts'

/**
 * 2026-07-28 over HTTP: a tool may declare (`x-mcp-header` in its input schema) that arguments are repeated in
 * `Mcp-Param-*` headers, and servers refuse calls that lack them. Learned from the lists that pass by.
 */
export class ParamHeaders {
  readonly #declarations = new Map<string, readonly ParamHeader[]>()

  learn(request: JsonRpcRequest, result: JsonObject): void {
    if (request.method !== 'tools/list' || !Array.isArray(result['tools'])) return
    for (const tool of result['tools'].filter(isJsonObject)) {
      if (typeof tool['name'] === 'string')
        this.#declarations.set(tool['name'], paramHeadersIn(tool['inputSchema']))
    }
  }

  headersFor(request: JsonRpcRequest): Record<string, string> {
    const name = request.params?.['name']
    if (request.method !== 'tools/call' || typeof name !== 'string') return {}
    const found = (this.#declarations.get(name) ?? []).flatMap((declared) => {
      const value = argumentAt(request.params?.['arguments'], declared)
      return value === undefined ? [] : [[declared.header, encodeHeaderValue(value)] as const]
    })
    return Object.fromEntries(found)
  }
}
