import { MetaKey } from '../../protocol/era.ts'
import { readMessage } from '../../protocol/exact-message.ts'
import {
  isJsonObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type RequestId,
} from '../../protocol/json-rpc.ts'

export function isModern(message: JsonRpcRequest): boolean {
  const meta = message.params?.['_meta']
  return isJsonObject(meta) && typeof meta[MetaKey.protocolVersion] === 'string'
}

/** Can't resume a stream; other statuses may be temporary. */
export const isForgotten = (error: Error): boolean =>
  'status' in error && (error.status === 400 || error.status === 404 || error.status === 410)

/** The specification says 404; some servers use 400 or 503 and mention the session. */
export function isSessionForgotten(error: unknown, sessionId: string | undefined): boolean {
  if (sessionId === undefined || !(error instanceof Error) || !('status' in error)) return false
  return (
    error.status === 404 || ((error.status === 400 || error.status === 503) && /session/i.test(error.message))
  )
}

/** E.g. 404 for an unknown method. The SDK reads the JSON-RPC error only for 400. */
export function refusalIn(error: unknown, id: RequestId): JsonRpcMessage | undefined {
  const data = error instanceof Error && 'data' in error ? error.data : undefined
  const text = isJsonObject(data) ? data['text'] : undefined
  if (typeof text !== 'string') return undefined
  try {
    const body = readMessage(text)
    if (!isJsonObject(body) || body['id'] !== id || !isJsonObject(body['error'])) return undefined
    const { code, message, data: details } = body['error']
    if (typeof code !== 'number' || typeof message !== 'string') return undefined
    return {
      jsonrpc: '2.0',
      id,
      error: { code, message, ...(details === undefined ? {} : { data: details }) },
    }
  } catch {
    return undefined
  }
}
