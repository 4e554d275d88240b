import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../../ground/errors.ts'
import { clientHelloOf } from '../../protocol/era-bridge.ts'
import type { JsonObject, RequestId } from '../../protocol/json-rpc.ts'
import { HEADER_MISMATCH, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import { isTooDeep, unwrittenAnswer } from '../../protocol/too-deep.ts'
import type { ClientSession } from './client-session.ts'
import { describeRequest } from './describe-request.ts'
import { HttpExchange } from './http-exchange.ts'
import { headerOf, HttpError } from './http-message.ts'
import type { HttpCaller, HttpSessionsOptions } from './http-sessions.ts'
import { HttpSessions, scopeKey, tooManySessions } from './http-sessions.ts'
import { refuseRemovedMethod, refuseUnknownVersion } from './opening.ts'
import { rejectQuestion } from './serve-channel.ts'
import { headerProblem } from './standard-headers.ts'

interface ModernMessage {
  readonly id?: RequestId
  readonly method: string
  readonly params?: JsonObject
}

/**
 * 2026-07-28 on `/mcp`: stateless. The same client name and scope share a session, so that processes don't start per
 * call.
 */
export class ModernHttp extends HttpSessions<ClientSession> {
  constructor(options: HttpSessionsOptions) {
    super(options, (session) => session.close())
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    caller: HttpCaller,
    message: ModernMessage,
    revision: string | undefined,
  ): Promise<void> {
    const { id, method, params } = message
    if (id !== undefined) check(request, method, params, revision)
    const key = `${scopeKey(caller.scope)}\n${nameOf(caller, params) ?? ''}`
    const session = this.open.get(key) ?? this.#open(key, caller, params)
    const release = this.open.use(key)
    response.once('close', release)
    if (id === undefined) {
      session.handleNotification(method, params)
      response.writeHead(202).end()
      return
    }
    const exchange = new HttpExchange(response, {
      onLeftOut: (error) => this.options.logger.warn('client connection', { error: error.message }),
    })
    const { signal } = exchange
    try {
      const notify = (name: string, values?: JsonObject): void => exchange.notify(name, values)
      const header = (name: string): string | undefined => headerOf(request, name)
      const result = await session.handleRequest({ id, method, params, signal, notify, header })
      try {
        await exchange.answer(id, { result })
      } catch (error) {
        if (!isTooDeep(error)) throw error
        throw unwrittenAnswer(describeRequest(caller.scope, method, params), { result })
      }
    } catch (error) {
      const failure =
        error instanceof RpcError ? error : new RpcError(RpcErrorCode.internal, messageOf(error))
      await exchange.answer(id, { error: failure.toWire() })
    }
  }

  #open(key: string, caller: HttpCaller, params: JsonObject | undefined): ClientSession {
    const name = nameOf(caller, params)
    const session = this.options.openSession({
      scope: caller.scope,
      client: name === undefined ? {} : { name, isSelfNamed: caller.name === undefined },
      // Changes only on listen requests.
      link: { era: 'modern', notify: () => {}, ask: rejectQuestion },
    })
    if (this.open.add(key, session)) return session
    session
      .close()
      .catch((error: unknown) => this.options.logger.error('session', { error: messageOf(error) }))
    throw tooManySessions()
  }
}

function nameOf(caller: HttpCaller, params: JsonObject | undefined): string | undefined {
  const { name } = clientHelloOf(params).clientInfo
  return caller.name ?? (name === 'unknown' ? undefined : name)
}

function check(
  request: IncomingMessage,
  method: string,
  params: JsonObject | undefined,
  revision: string | undefined,
): void {
  try {
    refuseUnknownVersion(revision)
  } catch (error) {
    if (error instanceof RpcError) throw new HttpError(400, error.code, error.message, error.data)
    throw error
  }
  const problem = headerProblem(
    {
      protocolVersion: headerOf(request, 'mcp-protocol-version'),
      method: headerOf(request, 'mcp-method'),
      name: headerOf(request, 'mcp-name'),
    },
    method,
    params,
  )
  if (problem) throw new HttpError(400, HEADER_MISMATCH, `Bad Request: ${problem}.`)
  try {
    refuseRemovedMethod(method)
  } catch (error) {
    if (error instanceof RpcError) throw new HttpError(404, error.code, error.message)
    throw error
  }
}
