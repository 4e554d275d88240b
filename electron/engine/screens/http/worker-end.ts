import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from './static-files.ts'

/** Replaces the worker and lets its pages reach us. */
const SCRIPT = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', async () => {
  await self.registration.unregister()
  for (const page of await self.clients.matchAll({ type: 'window' })) page.navigate(page.url)
})
`

/**
 * Another program on this port may have left a service worker that keeps answering; browsers check its name for
 * updates and get this script. False for other requests.
 */
export function endForeignWorker(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers['service-worker'] !== 'script') return false
  response
    .writeHead(200, { ...pageHeaders, 'Cache-Control': 'no-store', 'Content-Type': 'text/javascript' })
    .end(SCRIPT)
  return true
}
