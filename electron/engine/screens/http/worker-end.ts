import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from './static-files.ts'

/** Removes the worker it replaces, and lets its pages reach us. */
const SCRIPT = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', async () => {
  await self.registration.unregister()
  for (const page of await self.clients.matchAll({ type: 'window' })) page.navigate(page.url)
})
`

/**
 * Sluice has no service worker. Another program on the port may have left one, which would keep answering; browsers
 * check for updates under its name and get this. False for other requests.
 */
export function endForeignWorker(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers['service-worker'] !== 'script') return false
  response
    .writeHead(200, { ...pageHeaders, 'Cache-Control': 'no-store', 'Content-Type': 'text/javascript' })
    .end(SCRIPT)
  return true
}
