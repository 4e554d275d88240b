import type { Database } from '../ground/database/database.ts'
import type { Events } from '../ground/events.ts'

const REMEMBERED_MS = 30 * 24 * 3600_000

/** Tools with results over their threshold within the last 30 days, from the ledger and as calls happen. */
export function watchLargeResults(options: {
  database: Database
  events: Events
  /** Unix milliseconds. */
  now: () => number
}): { has(serverId: string, tool: string): boolean; close(): void } {
  const known = new Set<string>()
  const key = (serverId: string, tool: string): string => JSON.stringify([serverId, tool])
  const rows = options.database
    .prepare('SELECT server, tool FROM large_tools WHERE last >= ?')
    .all(options.now() - REMEMBERED_MS)
  for (const row of rows) known.add(key(String(row['server']), String(row['tool'])))
  const stop = options.events.on('call-recorded', (call) => {
    if (call.resultId !== undefined) known.add(key(call.server, call.tool))
  })
  return { has: (serverId, tool) => known.has(key(serverId, tool)), close: stop }
}
