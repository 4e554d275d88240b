import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Nothing from elsewhere, no inline scripts, no frames. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/** Sends a file of the built screens; false when there is none of that path. */
export async function sendStaticFile(
  folder: string,
  urlPath: string,
  response: ServerResponse,
): Promise<boolean> {
  const relative = normalize(decodeURIComponent(urlPath === '/' ? '/index.html' : urlPath))
  const path = join(folder, relative)
  if (!path.startsWith(folder + sep)) return false
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return false
  response.writeHead(200, {
    ...pageHeaders,
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Content-Length': found.size,
  })
  await pipeline(createReadStream(path), response)
  return true
}
