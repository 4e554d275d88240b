import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../logger.ts'
import type { BrowserAccess } from './browser-access.ts'
import type { ScreensRouter } from './router.ts'
import { apiHeaders, sendApiJson } from './send-api-json.ts'
import type { ServeApi } from './serve-api.ts'
import { pageHeaders, sendStaticFile } from './static-files.ts'

/** Whether a request may ask, and change, anything at all. */
export type Admits = (request: IncomingMessage) => boolean

export interface DashboardOptions {
  readonly loadRouter: () => Promise<ScreensRouter>
  readonly access: BrowserAccess
  readonly admits: Admits
  /** The built screens; without them there is the contract only. */
  readonly staticFolder: string | undefined
  readonly version: string
  readonly logger: Logger
}

export type ServeDashboard = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * The token admits everywhere. The cookie does where the browser itself says that the request comes from our own page:
 * for changes it must say so, and other programs' pages on this machine are "same site", so the cookie alone proves little.
 */
export function isAdmitted(options: {
  access: Pick<BrowserAccess, 'admits'>
  hasToken(request: IncomingMessage): boolean
}): Admits {
  return (request) => {
    if (options.hasToken(request)) return true
    if (!options.access.admits(request.headers.cookie)) return false
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site']
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    // Host and Origin have been compared with our own address before.
    return isReading || origin !== undefined || site === 'same-origin'
  }
}

/** The screens and their contract over HTTP. Host and Origin have been checked before a request gets here. */
export function createDashboard(options: DashboardOptions): ServeDashboard {
  const { loadRouter, access, admits, staticFolder, logger } = options
  let api: Promise<ServeApi> | undefined
  const loadApi = async (): Promise<ServeApi> => {
    const [{ createServeApi }, router] = await Promise.all([import('./serve-api.ts'), loadRouter()])
    return createServeApi({ router, logger })
  }
  let document: Promise<object> | undefined

  return async function serveDashboard(request, response) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/open') {
      const cookie = access.redeem(url.searchParams.get('code') ?? '')
      if (cookie === undefined) return refuse(response, 'This link was used already or is too old.')
      response.writeHead(303, { Location: '/', 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }).end()
      return
    }
    if (!admits(request)) return refuse(response, 'This page is only for the user of this machine.')
    if (isBelow(url.pathname, '/rpc') || isBelow(url.pathname, '/api')) {
      for (const [name, value] of Object.entries(apiHeaders)) response.setHeader(name, value)
      if (url.pathname === '/api/openapi.json' && request.method === 'GET') {
        // Loaded when somebody asks: the generator is large and hardly anybody does.
        document ??= import('./openapi-document.ts').then(({ openApiDocument }) =>
          openApiDocument(options.version),
        )
        return sendApiJson(response, 200, await document)
      }
      const serveApi = await (api ??= loadApi())
      if (!(await serveApi(request, response, isBelow(url.pathname, '/rpc'))))
        sendApiJson(response, 404, { code: 'NOT_FOUND', message: `There is nothing at ${url.pathname}.` })
      return
    }
    const isFile = request.method === 'GET' && staticFolder !== undefined
    if (isFile && (await sendStaticFile(staticFolder, url.pathname, response))) return
    response
      .writeHead(404, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
      .end(staticFolder === undefined ? 'The screens are not built: npm run build.\n' : 'Not found.\n')
  }
}

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

function refuse(response: ServerResponse, why: string): void {
  response
    .writeHead(401, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${why} "sluice open" prints a new link while Sluice runs; "npm start" runs it.\n`)
}
