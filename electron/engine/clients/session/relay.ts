import type { ClientRequest } from '../transports/client-session.ts'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { MetaKey, type ClientHello, type Implementation } from '../../protocol/era.ts'
import { withServerInfo } from '../../protocol/introduction.ts'
import { isModernRequest, metaOf, toLegacyResult, toModernResult } from '../../protocol/era-bridge.ts'
import { isAtLeast } from '../../protocol/log-levels.ts'
import { RpcError, RpcErrorCode, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink, UpstreamRequestOptions } from '../../protocol/link.ts'

/** Delivers what a server says beside its results as its client may see it. */
export type SaidGuard = (said: JsonObject, deliver: (shown: JsonObject) => void) => void

/** Progress and other notifications of an upstream request, handed to the client request that caused it. */
export function relayOptions(
  request: ClientRequest,
  {
    guard,
    timeoutMs,
    signal = request.signal,
  }: { guard: SaidGuard; timeoutMs?: number | undefined; signal?: AbortSignal },
): UpstreamRequestOptions {
  const progressToken = metaOf(request.params)['progressToken']
  const onProgress = (params: JsonObject): void =>
    guard(params, (shown) => request.notify('notifications/progress', { ...shown, progressToken }))
  return {
    signal,
    onRelated: (method, params) => {
      if (!wantsMessage(request.params, method, params)) return
      if (params) guard(params, (shown) => request.notify(method, shown))
      else request.notify(method, params)
    },
    ...(progressToken === undefined ? {} : { onProgress }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** A request of 2026-07-28 says which log messages it wants; an older server, which can't know that, sends them all. */
function wantsMessage(
  asked: JsonObject | undefined,
  method: string,
  message: JsonObject | undefined,
): boolean {
  if (method !== 'notifications/message' || !isModernRequest(asked)) return true
  const level = metaOf(asked)[MetaKey.logLevel]
  return typeof level === 'string' && isAtLeast(stringIn(message, 'level'), level)
}

/** A server's result in the words of the client's era, with what of its introduction is approved. */
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

/** What a client gets when a request failed: the server's own error as it was, Sluice's with its code in `data`. */
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

/** A failed call as a tool result: models read these, while many clients hide protocol errors from them. */
export const failedResult = (text: string): JsonObject => ({
  content: [{ type: 'text', text }],
  isError: true,
})

/** For requests that the user's approvals do not cover. `uri` names the resource, as 2026-07-28 wants it in errors. */
export const refused = (reason: string, uri?: string): SluiceError =>
  new SluiceError('CALL_REFUSED', reason, uri === undefined ? {} : { data: { uri } })
