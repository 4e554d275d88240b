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
  /** Tools of each server: every call asks. */
  const known = new Map<string, Set<string>>()
  const note = (server: string, tool: string): void => {
    const tools = known.get(server) ?? new Set()
    known.set(server, tools.add(tool))
  }
  const rows = options.database
    .prepare('SELECT server, tool FROM large_tools WHERE last >= ?')
    .all(options.now() - REMEMBERED_MS)
  for (const row of rows) note(String(row['server']), String(row['tool']))
  const stop = options.events.on('call-recorded', (call) => {
    if (call.resultId !== undefined) note(call.server, call.tool)
  })
  return { has: (serverId, tool) => known.get(serverId)?.has(tool) === true, close: stop }
}
