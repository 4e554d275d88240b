import { createHash } from 'node:crypto'
import type { ServerSettings } from '../../../shared/settings.ts'

/** SHA-256 over what a server is started or reached with. The same for the same launch, whatever the order of keys. */
export function serverHash(server: ServerSettings): string {
  const { type, command, args, env, cwd, url, headers, shared } = server
  return sha256(
    canonicalJson({
      type,
      command,
      args: args ?? [],
      env: env ?? {},
      cwd,
      url,
      headers: headers ?? {},
      // Left out where it is not set, so that the others keep the hashes that they had.
      shared: shared || undefined,
    }),
  )
}

/** JSON with sorted keys, and without keys that are undefined. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
