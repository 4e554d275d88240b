import { createHash } from 'node:crypto'

const SEPARATOR = '__'
/** Claude's API takes tool names of this shape and length; other clients take at least this much. */
const LONGEST = 64
const unsafe = /[^A-Za-z0-9_-]/g

/**
 * A tool's or prompt's name where several servers share one list: `{server}__{name}`, of letters, digits, `_` and `-`,
 * at most 64 characters. What had to be changed or cut is told apart by a short hash of the full name.
 */
export function publicName(serverId: string, name: string): string {
  const full = `${serverId}${SEPARATOR}${name}`
  const plain = full.replace(unsafe, '_')
  if (plain === full && full.length <= LONGEST) return full
  const mark = createHash('sha256').update(full).digest('hex').slice(0, 6)
  return `${plain.slice(0, LONGEST - mark.length - 1)}_${mark}`
}

const SCHEME = 'sluice:'

/** A resource's URI (or URI template) where several servers share one list: the server's id before the URI as it was. */
export const publicUri = (serverId: string, uri: string): string => `${SCHEME}${serverId}:${uri}`

/** The server and its own URI behind a public one; undefined for a URI that Sluice did not make. */
export function parsePublicUri(uri: string): { serverId: string; uri: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined
  const end = uri.indexOf(':', SCHEME.length)
  if (end < 0) return undefined
  return { serverId: uri.slice(SCHEME.length, end), uri: uri.slice(end + 1) }
}
