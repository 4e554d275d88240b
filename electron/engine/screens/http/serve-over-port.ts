import type { SupportedMessagePort } from '@orpc/client/message-port'
import { onError } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ScreensRouter } from './router.ts'

export type ScreensPort = SupportedMessagePort

/** Full access, so only Sluice's window gets a port. The caller starts it; streams end with it. */
export function serveOverPort(
  port: ScreensPort,
  { router, logger }: { router: ScreensRouter; logger: Logger },
): void {
  const handler = new RPCHandler(router, {
    interceptors: [onError((error) => logger.warn('a screen’s request failed', { error: messageOf(error) }))],
  })
  handler.upgrade(port)
}
