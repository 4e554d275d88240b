import { SluiceError } from '../../ground/errors.ts'
import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from '../../protocol/json-rpc.ts'
import { isJsonObject, isResult, stringIn } from '../../protocol/json-rpc.ts'
import { paramHeaderFault } from '../../protocol/param-header-fault.ts'
import {
  argumentAt,
  encodeHeaderValue,
  paramHeadersIn,
  type ParamHeader,
} from '../../protocol/param-header.ts'

/**
 * 2026-07-28 over HTTP: tools' `x-mcp-header` declarations repeat arguments in `Mcp-Param-*` headers, and servers
 * reject calls without them. Learned from passing lists. Invalidly declared tools are neither listed nor called.
 */
export class ParamHeaders {
  readonly #declarations = new Map<string, readonly ParamHeader[]>()
  readonly #faults = new Map<string, string>()
  readonly #onLeftOut: (tool: string, why: string) => void

  /** `onLeftOut`: once per omitted tool. */
  constructor(onLeftOut: (tool: string, why: string) => void) {
    this.#onLeftOut = onLeftOut
  }

  /** Removes unlistable tools. */
  learn(request: JsonRpcRequest, answer: JsonRpcMessage): JsonRpcMessage {
    if (request.method !== 'tools/list' || !isResult(answer)) return answer
    const { tools } = answer.result as { tools?: unknown }
    if (!Array.isArray(tools)) return answer
    const offered = tools.filter((tool: unknown) => !isJsonObject(tool) || this.#isOffered(tool))
    return offered.length === tools.length
      ? answer
      : { ...answer, result: { ...answer.result, tools: offered } }
  }

  #isOffered(tool: JsonObject): boolean {
    const name = stringIn(tool, 'name')
    const fault = paramHeaderFault(tool['inputSchema'])
    if (fault === undefined) {
      this.#faults.delete(name)
      this.#declarations.set(name, paramHeadersIn(tool['inputSchema']))
      return true
    }
    if (this.#faults.get(name) !== fault) this.#onLeftOut(name, fault)
    this.#faults.set(name, fault)
    return false
  }

  /** Throws for an omitted tool. */
  headersFor(request: JsonRpcRequest): Record<string, string> {
    const name = request.params?.['name']
    if (request.method !== 'tools/call' || typeof name !== 'string') return {}
    const fault = this.#faults.get(name)
    if (fault !== undefined)
      throw new SluiceError(
        'CALL_REFUSED',
        `The tool "${name}" was not called: its definition is not valid over HTTP (${fault}). Only its server can fix that.`,
      )
    const found = (this.#declarations.get(name) ?? []).flatMap((declared) => {
      const value = argumentAt(request.params?.['arguments'], declared)
      return value === undefined ? [] : [[declared.header, encodeHeaderValue(value)] as const]
    })
    return Object.fromEntries(found)
  }
}
