import { createHash } from 'node:crypto'

const SEPARATOR = '__'
/** Claude's API; other clients accept at least this. */
const LONGEST = 64
const unsafe = /[^A-Za-z0-9_-]/g

/** `{server}__{name}` of letters, digits, `_` and `-`, at most 64. Changed or cut names end with a short hash. */
export function publicName(serverId: string, name: string): string {
  const full = `${serverId}${SEPARATOR}${name}`
  const plain = full.replace(unsafe, '_')
  if (plain === full && full.length <= LONGEST) return full
  const mark = createHash('sha256').update(full).digest('hex').slice(0, 6)
  return `${plain.slice(0, LONGEST - mark.length - 1)}_${mark}`
}

const SCHEME = 'sluice:'

export const publicUri = (serverId: string, uri: string): string => `${SCHEME}${serverId}:${uri}`

export function parsePublicUri(uri: string): { serverId: string; uri: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined
  const end = uri.indexOf(':', SCHEME.length)
  if (end < 0) return undefined
  return { serverId: uri.slice(SCHEME.length, end), uri: uri.slice(end + 1) }
}
