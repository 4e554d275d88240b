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

/** No external content, inline scripts or frames. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/** By content hash: cacheable forever with compiled code. */
const isNamedByContent = (urlPath: string): boolean => urlPath.startsWith('/assets/')

export interface StaticFile {
  readonly path: string
  /** Content-Type. */
  readonly type: string
  readonly bytes: number
}

/** Undefined if missing or outside `folder`. */
export async function findStaticFile(folder: string, urlPath: string): Promise<StaticFile | undefined> {
  const path = join(folder, normalize(decoded(urlPath === '/' ? '/index.html' : urlPath)))
  if (!path.startsWith(folder + sep)) return undefined
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  return { path, type: types[extname(path)] ?? 'application/octet-stream', bytes: found.size }
}

export async function sendStaticFile(
  folder: string,
  urlPath: string,
  response: ServerResponse,
): Promise<boolean> {
  const file = await findStaticFile(folder, urlPath)
  if (!file) return false
  response.writeHead(200, {
    ...pageHeaders,
    ...(isNamedByContent(urlPath) && { 'Cache-Control': 'private, max-age=31536000, immutable' }),
    'Content-Type': file.type,
    'Content-Length': file.bytes,
  })
  await pipeline(createReadStream(file.path), response)
  return true
}

function decoded(urlPath: string): string {
  try {
    return decodeURIComponent(urlPath)
  } catch {
    return urlPath
  }
}
