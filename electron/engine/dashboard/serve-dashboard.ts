import type { IncomingMessage, ServerResponse } from 'node:http'
import { onError } from '@orpc/server'
import { RPCHandler } from '@orpc/server/node'
import { messageOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { BrowserAccess } from './browser-access.ts'
import { createRouter, type DashboardSources } from './router.ts'
import { pageHeaders, sendStaticFile } from './static-files.ts'

export interface DashboardOptions {
  readonly sources: DashboardSources
  readonly access: BrowserAccess
  /** Whether a request carries the access token, for programs that are no browser. */
  hasToken(request: IncomingMessage): boolean
  /** The built screens. */
  readonly staticFolder: string
  readonly logger: Logger
}

export type ServeDashboard = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The screens and their contract over HTTP. Host and Origin have been checked before a request gets here. */
export function createDashboard(options: DashboardOptions): ServeDashboard {
  const rpc = new RPCHandler(createRouter(options.sources), {
    interceptors: [
      onError((error) => options.logger.warn('a screen’s request failed', { error: messageOf(error) })),
    ],
  })
  return async function serveDashboard(request, response) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/open') {
      const cookie = options.access.redeem(url.searchParams.get('code') ?? '')
      if (cookie === undefined) return refuse(response, 'This link was used already or is too old.')
      response.writeHead(303, { Location: '/', 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }).end()
      return
    }
    if (!options.access.admits(request.headers.cookie) && !options.hasToken(request)) {
      return refuse(response, 'This page is only for the user of this machine.')
    }
    const { matched } = await rpc.handle(request, response, { prefix: '/rpc', context: {} })
    if (matched) return
    if (request.method === 'GET' && (await sendStaticFile(options.staticFolder, url.pathname, response)))
      return
    response
      .writeHead(404, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
      .end('Not found.\n')
  }
}

function refuse(response: ServerResponse, why: string): void {
  response
    .writeHead(401, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${why} Run "sluice serve", or "npm start", and open the link that it prints.\n`)
}
