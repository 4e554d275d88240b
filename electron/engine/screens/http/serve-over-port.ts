import type { SupportedMessagePort } from '@orpc/client/message-port'
import { onError } from '@orpc/server'
import { RPCHandler } from '@orpc/server/message-port'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ScreensRouter } from './router.ts'

/** A MessagePort of Electron's main process, of node:worker_threads or of a browser. */
export type ScreensPort = SupportedMessagePort

/**
 * The screens' contract over a port: the window's door to the engine. Whoever holds the port may do everything, so it is
 * handed to Sluice's own window only. The caller starts the port; streams end when it closes.
 */
export function serveOverPort(
  port: ScreensPort,
  { router, logger }: { router: ScreensRouter; logger: Logger },
): void {
  const handler = new RPCHandler(router, {
    interceptors: [onError((error) => logger.warn('a screen’s request failed', { error: messageOf(error) }))],
  })
  handler.upgrade(port)
}
