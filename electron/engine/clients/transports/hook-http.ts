import type { IncomingMessage, ServerResponse } from 'node:http'
import { RpcErrorCode, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import { refuseUnauthorised } from './http-guard.ts'
import { HttpError, readJsonBody, sendFailure, sendJson } from './http-message.ts'
import { hookTokenOf } from './hook-token.ts'

/** Never rejects; `{}` changes nothing. */
export type AnswerHook = (app: string, event: string, payload: unknown) => Promise<JsonObject>

export const HOOK_PATH = '/hook'
export const MOST_HOOK_BYTES = 64_000_000

/** `POST /hook/{app}/{event}` with the token of this app. */
export const createHookEndpoint =
  (options: {
    readonly answer: AnswerHook
    readonly token: string
    readonly trust: (request: IncomingMessage) => void
    readonly parseLarge?: ParseLarge | undefined
  }) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, , app = '', event = '', ...more] = pathname.split('/')
    const refusal = refuseUnauthorised(request.headers, hookTokenOf(options.token, app))
    if (refusal) return sendFailure(response, refusal)
    options.trust(request)
    if (app === '' || event === '' || more.length > 0)
      throw new HttpError(404, RpcErrorCode.connectionClosed, `There is no hook at ${pathname}.`)
    if (request.method !== 'POST')
      throw new HttpError(405, RpcErrorCode.connectionClosed, 'Method not allowed: use POST.')
    const payload = await readJsonBody(request, MOST_HOOK_BYTES, options.parseLarge)
    sendJson(response, 200, await options.answer(app, event, payload))
  }
