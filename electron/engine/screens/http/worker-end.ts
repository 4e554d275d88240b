import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from './static-files.ts'

/** Takes the worker whose place it gets out of the browser, and lets the pages that it answered for ask us. */
const SCRIPT = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', async () => {
  await self.registration.unregister()
  for (const page of await self.clients.matchAll({ type: 'window' })) page.navigate(page.url)
})
`

/**
 * Sluice has no service worker. Whoever had the port while Sluice was down may have left one, which would go on answering in our
 * place; browsers look for a newer one at each visit, under a name of their choice, and get this. False for other requests.
 */
export function endForeignWorker(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers['service-worker'] !== 'script') return false
  response
    .writeHead(200, { ...pageHeaders, 'Cache-Control': 'no-store', 'Content-Type': 'text/javascript' })
    .end(SCRIPT)
  return true
}
