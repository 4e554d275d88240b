import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import { findStaticFile, pageHeaders } from '../engine/screens/http/static-files.ts'

const SCHEME = 'sluice-app'
/** A custom scheme: file:// may read files, and others can reach HTTP. */
const PAGE_ORIGIN = `${SCHEME}://app`

export const pageUrl = (route: string): string => `${PAGE_ORIGIN}/?door=port#${route}`

export const isPageUrl = (url: string): boolean => url.startsWith(`${PAGE_ORIGIN}/`)

const headers: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'Content-Security-Policy': (pageHeaders['Content-Security-Policy'] ?? '').replace(
    "connect-src 'self'",
    "connect-src 'none'",
  ),
}

/** Before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** After the app is ready. */
export function servePage(folder: string): void {
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    const file = isPageUrl(request.url) ? await findStaticFile(folder, url.pathname) : undefined
    if (!file || request.method !== 'GET') return new Response('Not found.\n', { status: 404, headers })
    return new Response(await readFile(file.path), { headers: { ...headers, 'Content-Type': file.type } })
  })
}
