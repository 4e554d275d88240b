import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../../ground/errors.ts'
import { readUpTo } from '../../ground/read-up-to.ts'
import { keepIds, parseMessage, stringifyMessage } from '../../protocol/exact-message.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import { isNear } from '../../work/near.ts'

export class HttpError extends Error {
  readonly status: number
  readonly code: number
  readonly data: unknown

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.code = code
    this.data = data
  }
}

/** The SDK's readers stop at 4 MiB; here the message limit applies. */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  parseLarge?: ParseLarge,
): Promise<unknown> {
  const tooLarge = (): HttpError =>
    new HttpError(
      413,
      RpcErrorCode.invalidRequest,
      `The request body is over ${maxBytes} bytes (limits.maxMessageBytes in config.json).`,
    )
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const body = await readUpTo(request, maxBytes)
  if (!body) throw tooLarge()
  const { chunks, bytes } = body
  try {
    if (parseLarge && !isNear('parse', bytes)) {
      const value = await parseLarge(chunks)
      keepIds(value)
      return value
    }
    return parseMessage(Buffer.concat(chunks, bytes).toString())
  } catch (error) {
    throw new HttpError(400, RpcErrorCode.parse, `Parse error: ${messageOf(error)}`)
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return
  sendBody(response, status, Buffer.from(stringifyMessage(value)), headers)
}

/** Of encoded JSON. */
export function sendBody(
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(body)
}

export const sendFailure = (
  response: ServerResponse,
  failure: {
    status: number
    code?: number
    message: string
    data?: unknown
    headers?: Readonly<Record<string, string>>
  },
  id: RequestId | null = null,
): void => {
  const { status, code = RpcErrorCode.connectionClosed, message, data, headers } = failure
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  sendJson(response, status, { jsonrpc: '2.0', id, error }, headers)
}

export const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

export function sendHttpError(response: ServerResponse, error: HttpError, id: RequestId | null = null): void {
  const { status, code, message, data } = error
  // Stops an oversized body.
  const headers: Record<string, string> = status === 413 ? { Connection: 'close' } : {}
  sendFailure(response, { status, code, message, data, headers }, id)
}
