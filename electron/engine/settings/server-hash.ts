import { createHash } from 'node:crypto'
import type { ServerSettings } from '../../../shared/settings.ts'

/** SHA-256 of the launch fields, independent of key order. */
export function serverHash(server: ServerSettings): string {
  const { type, shared } = server
  // `shared` is omitted if unset, so that other hashes stay the same.
  return sha256(sortedJson({ type, ...launchFields(server), shared: shared || undefined }))
}

/** What is started or called; fields that are left out have their defaults. */
export const launchFields = ({ command, args, env, cwd, url, headers }: ServerSettings): object => ({
  command,
  args: args ?? [],
  env: env ?? {},
  cwd,
  url,
  headers: headers ?? {},
})

/** Sorted keys, without undefined values. Throws only for deep nesting; RFC 8785: protocol/canonical-json.ts. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${sortedJson(item)}`).join(',')}}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
