import type { classifyInboundRequest } from '@modelcontextprotocol/server'
import type { Era } from '../../protocol/era.ts'
import { MODERN_VERSION, removedFromModern } from '../../protocol/era.ts'
import { claimsEnvelope } from '../../protocol/era-bridge.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

type Classify = typeof classifyInboundRequest

/** 2026-07-28 requests have an envelope in `_meta`. */
export class EraReader {
  #loading: Promise<void> | undefined
  #classify: Classify | undefined

  /**
   * Await before `eraOf`. Envelope validation is large, so it loads with the first envelope; requests wait, in order.
   */
  ready(params: JsonObject | undefined): Promise<void> | undefined {
    if (this.#classify || !(this.#loading ?? claimsEnvelope(params))) return undefined
    return (this.#loading ??= this.#load())
  }

  eraOf(method: string, params: JsonObject | undefined): Era {
    if (!claimsEnvelope(params)) return 'legacy'
    if (!this.#classify) throw new Error('ready() was not awaited.')
    // Without payload, which may be large.
    const outline = { jsonrpc: '2.0', id: 0, method, params: params && { _meta: params['_meta'] } }
    const outcome = this.#classify({ httpMethod: 'POST', body: outline })
    if (outcome.kind === 'reject') throw new RpcError(outcome.code, outcome.message, outcome.data)
    if (outcome.kind === 'legacy') return 'legacy'
    refuseUnknownVersion(outcome.classification.revision)
    return 'modern'
  }

  async #load(): Promise<void> {
    const { classifyInboundRequest: classify } = await import('@modelcontextprotocol/server')
    this.#classify = classify
  }
}

/** In the SDK's words. */
export function refuseRemovedMethod(method: string): void {
  if (removedFromModern.has(method)) throw new RpcError(RpcErrorCode.methodNotFound, 'Method not found')
}

export function refuseUnknownVersion(requested: string | undefined): void {
  if (requested === MODERN_VERSION) return
  throw new RpcError(
    RpcErrorCode.unsupportedProtocolVersion,
    `Unsupported protocol version: ${requested ?? 'none given'}. Requests with an envelope must be of ${MODERN_VERSION}; older clients start with "initialize".`,
    { supported: [MODERN_VERSION], requested: requested ?? 'unknown' },
  )
}
