import type { ClientRequest } from '../transports/client-session.ts'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { MetaKey, type ClientHello, type Implementation } from '../../protocol/era.ts'
import { withServerInfo } from '../../protocol/introduction.ts'
import { isModernRequest, metaOf, toLegacyResult, toModernResult } from '../../protocol/era-bridge.ts'
import { isAtLeast } from '../../protocol/log-levels.ts'
import { RpcError, RpcErrorCode, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink, UpstreamRequestOptions } from '../../protocol/link.ts'

/** Guards messages outside results. */
export type NotificationGuard = (notification: JsonObject, deliver: (shown: JsonObject) => void) => void

/** Relays progress and notifications. */
export function relayOptions(
  request: ClientRequest,
  {
    guard,
    timeoutMs,
    signal = request.signal,
  }: { guard: NotificationGuard; timeoutMs?: number | undefined; signal?: AbortSignal },
): UpstreamRequestOptions {
  const progressToken = metaOf(request.params)['progressToken']
  // Assigned one by one, for every call: spreading each is several times dearer.
  const options: UpstreamRequestOptions = {
    signal,
    onRelated: (method, params) => {
      if (!wantsMessage(request.params, method, params)) return
      if (params) guard(params, (shown) => request.notify(method, shown))
      else request.notify(method, params)
    },
  }
  if (progressToken !== undefined)
    options.onProgress = (params) =>
      guard(params, (shown) => request.notify('notifications/progress', { ...shown, progressToken }))
  if (timeoutMs !== undefined) options.timeoutMs = timeoutMs
  return options
}

/** 2026-07-28 requests select log messages; legacy servers send all. */
function wantsMessage(
  asked: JsonObject | undefined,
  method: string,
  message: JsonObject | undefined,
): boolean {
  if (method !== 'notifications/message' || !isModernRequest(asked)) return true
  const level = metaOf(asked)[MetaKey.logLevel]
  return typeof level === 'string' && isAtLeast(stringIn(message, 'level'), level)
}

export function resultFor(
  client: ClientHello,
  link: UpstreamLink,
  method: string,
  result: JsonObject,
  serverInfo: Implementation,
): JsonObject {
  if (client.era === 'modern' && link.hello.era === 'modern') return withServerInfo(result, serverInfo)
  if (client.era === link.hello.era) return result
  return client.era === 'modern' ? toModernResult(method, result, serverInfo) : toLegacyResult(result)
}

/** Server errors stay unchanged; Sluice's code is in `data`. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof SluiceError) {
    const isClients = error.code === 'TOOL_UNKNOWN' || error.code === 'CALL_REFUSED'
    const code = isClients ? RpcErrorCode.invalidParams : RpcErrorCode.internal
    const { uri } = error.data
    return new RpcError(code, error.message, { ...(uri === undefined ? {} : { uri }), sluice: error.code })
  }
  return new RpcError(RpcErrorCode.internal, messageOf(error))
}

/** Models read tool results; many clients hide protocol errors. */
export const failedResult = (text: string): JsonObject => ({
  content: [{ type: 'text', text }],
  isError: true,
})

/** `uri`: required by 2026-07-28 errors. */
export const refused = (reason: string, uri?: string): SluiceError =>
  new SluiceError('CALL_REFUSED', reason, uri === undefined ? {} : { data: { uri } })
