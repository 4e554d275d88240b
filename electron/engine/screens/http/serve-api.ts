import type { IncomingMessage, ServerResponse } from 'node:http'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { onError } from '@orpc/server'
import { BodyLimitPlugin, RPCHandler } from '@orpc/server/node'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ScreensRouter } from './router.ts'

/** /rpc for screens, /api for programs; false for other addresses. */
export type ServeApi = (
  request: IncomingMessage,
  response: ServerResponse,
  isRpc: boolean,
) => Promise<boolean>

/** Above any config.json, below what blocks the engine. */
const MAX_BODY_BYTES = 32_000_000

export function createServeApi({ router, logger }: { router: ScreensRouter; logger: Logger }): ServeApi {
  const logFailure = (error: unknown): void =>
    logger.warn('a screen’s request failed', { error: messageOf(error) })
  const limit = { maxBodySize: MAX_BODY_BYTES }
  const rpc = new RPCHandler(router, {
    plugins: [new BodyLimitPlugin(limit)],
    interceptors: [onError(logFailure)],
  })
  const openApi = new OpenAPIHandler(router, {
    plugins: [new BodyLimitPlugin(limit)],
    interceptors: [onError(logFailure)],
  })
  return async function serveApi(request, response, isRpc) {
    const { matched } = isRpc
      ? await rpc.handle(request, response, { prefix: '/rpc', context: {} })
      : await openApi.handle(request, response, { prefix: '/api', context: {} })
    return matched
  }
}
