import { classifyInboundRequest } from '@modelcontextprotocol/server'
import type { Era } from '../protocol/era.ts'
import { MODERN_VERSION } from '../protocol/era.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../protocol/json-rpc.ts'

/**
 * The era a request speaks: 2026-07-28 requests carry an envelope in `_meta`, everything else is older. Throws for a
 * broken envelope and for a version that is not spoken here.
 */
export function eraOfRequest(method: string, params: JsonObject | undefined): Era {
  // Only the envelope counts, so the payload, which may be large, is not handed to the classifier.
  const outline = { jsonrpc: '2.0', id: 0, method, params: params && { _meta: params['_meta'] } }
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body: outline })
  if (outcome.kind === 'reject') throw new RpcError(outcome.code, outcome.message, outcome.data)
  if (outcome.kind === 'legacy') return 'legacy'
  refuseUnknownVersion(outcome.classification.revision)
  return 'modern'
}

export function refuseUnknownVersion(requested: string | undefined): void {
  if (requested === MODERN_VERSION) return
  throw new RpcError(
    RpcErrorCode.unsupportedProtocolVersion,
    `Unsupported protocol version: ${requested ?? 'none given'}. Requests with an envelope must be of ${MODERN_VERSION}; older clients start with "initialize".`,
    { supported: [MODERN_VERSION], requested: requested ?? 'unknown' },
  )
}
