import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readNeeds, suggestPolicy } from '../../engine/ledger/tool-needs.ts'
import type { Finding } from './finding.ts'
import { warning } from './finding.ts'

const LOOKED_BACK_MS = 30 * 24 * 3600_000

export function checkSavings(dataDir: string, now: number): Finding[] {
  const path = join(dataDir, 'sluice.db')
  if (!existsSync(path)) return []
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
    try {
      const range = { from: now - LOOKED_BACK_MS, to: now + 1 }
      return readNeeds((sql) => database.prepare(sql), range).flatMap((need) => {
        const found = suggestPolicy(need)
        if (!found) return []
        return [warning(`tool ${need.tool}`, `${need.server}: ${found.suggestion}`)]
      })
    } finally {
      database.close()
    }
  } catch {
    // Reported by the database check.
    return []
  }
}
