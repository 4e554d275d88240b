import type { Database } from '../ground/database/database.ts'
import type { NextNumber } from './vault.ts'

/** Reserved at once, so that placeholders rarely cost a write. */
const BLOCK = 100

/**
 * Unique across sessions, processes and restarts: stored results and conversations outlive the vault, so an old
 * `[EMAIL_1]` must not become another person's address.
 */
export function createPlaceholderNumbers(database: Pick<Database, 'prepare'>): NextNumber {
  const blocks = new Map<string, { next: number; last: number }>()
  const setAside = (name: string): { next: number; last: number } => {
    const row = database
      .prepare(
        `INSERT INTO placeholder_numbers (name, last) VALUES (?, ${BLOCK})
         ON CONFLICT (name) DO UPDATE SET last = last + ${BLOCK} RETURNING last`,
      )
      .get(name)
    const last = Number(row?.['last'])
    return { next: last - BLOCK + 1, last }
  }
  return (name) => {
    const known = blocks.get(name)
    const block = known && known.next <= known.last ? known : setAside(name)
    blocks.set(name, block)
    return block.next++
  }
}
