import type { IncomingMessage, ServerResponse } from 'node:http'
import { ACCESS_PATH, LINK_PATH, SESSION_HEADER } from '../../../../shared/access.ts'
import type { Logger } from '../../ground/logger.ts'
import type { Admission, BrowserAccess } from './browser-access.ts'
import { createCutOff } from './cut-off.ts'
import type { ScreensRouter } from './router.ts'
import { apiHeaders, sendApiJson } from './send-api-json.ts'
import { createServeAccess } from './serve-access.ts'
import type { ServeApi } from './serve-api.ts'
import { pageHeaders, sendStaticFile } from './static-files.ts'
import { endForeignWorker } from './worker-end.ts'

export type Admits = (request: IncomingMessage) => Admission | undefined

export interface DashboardOptions {
  readonly loadRouter: () => Promise<ScreensRouter>
  readonly access: BrowserAccess
  readonly admits: Admits
  /** Prints a link. */
  readonly openCommand: string | undefined
  readonly staticFolder: string | undefined
  readonly version: string
  readonly logger: Logger
}

export type ServeDashboard = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const ALWAYS: Admission = { holds: () => true }

/**
 * By token or session, in headers set by a program or our page. Ignores cookies, because browsers send them to every
 * port of this machine.
 */
export function isAdmitted(options: {
  access: Pick<BrowserAccess, 'admissionOf'>
  hasToken(request: IncomingMessage): boolean
  onAdmitted(request: IncomingMessage): void
}): Admits {
  const admissionOf: Admits = (request) => {
    if (options.hasToken(request)) return ALWAYS
    const site = request.headers['sec-fetch-site']
    // Host and Origin are already checked.
    if (site !== undefined && site !== 'same-origin') return undefined
    const session = request.headers[SESSION_HEADER]
    return options.access.admissionOf(typeof session === 'string' ? session : undefined)
  }
  return (request) => {
    const admission = admissionOf(request)
    if (admission) options.onAdmitted(request)
    return admission
  }
}

/**
 * After the Host and Origin check. Page files are public: they have no user data, and a page without access must
 * explain how to get it.
 */
export function createDashboard(options: DashboardOptions): ServeDashboard {
  const { loadRouter, access, admits, staticFolder, logger } = options
  let api: Promise<ServeApi> | undefined
  const loadApi = async (): Promise<ServeApi> => {
    const [{ createServeApi }, router] = await Promise.all([import('./serve-api.ts'), loadRouter()])
    return createServeApi({ router, logger })
  }
  let document: Promise<object> | undefined
  const serveAccess = createServeAccess(access, options.openCommand)
  const cutOff = createCutOff()

  return async function serveDashboard(request, response) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (endForeignWorker(request, response)) return
    if (pathname === ACCESS_PATH) return serveAccess(request, response)
    if (isBelow(pathname, '/rpc') || isBelow(pathname, '/api')) {
      const admission = admits(request)
      if (!admission) return refuse(response)
      cutOff.whenOver(admission, response)
      for (const [name, value] of Object.entries(apiHeaders)) response.setHeader(name, value)
      if (pathname === '/api/openapi.json' && request.method === 'GET') {
        // The generator is large and seldom used.
        document ??= import('./openapi-document.ts').then(({ openApiDocument }) =>
          openApiDocument(options.version),
        )
        return sendApiJson(response, 200, await document)
      }
      const serveApi = await (api ??= loadApi())
      if (!(await serveApi(request, response, isBelow(pathname, '/rpc'))))
        sendApiJson(response, 404, { code: 'NOT_FOUND', message: `There is nothing at ${pathname}.` })
      return
    }
    const isFile = (request.method === 'GET' || request.method === 'HEAD') && staticFolder !== undefined
    const path = pathname === LINK_PATH ? '/' : pathname
    if (isFile && (await sendStaticFile(staticFolder, path, response))) return
    response
      .writeHead(404, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
      .end(staticFolder === undefined ? 'The screens are not built: npm run build.\n' : 'Not found.\n')
  }
}

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)

function refuse(response: ServerResponse): void {
  const message =
    'This needs access: the session of an admitted page, or the token as "Authorization: Bearer TOKEN". "sluice open" prints a link that admits a browser; "sluice serve" prints where the token is.'
  const error = { code: 'ACCESS_NEEDED', status: 401, message }
  sendApiJson(response, 401, { ...error, json: { ...error, defined: false } })
}
