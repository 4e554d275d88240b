import type { Database } from '../ground/database/database.ts'
import type { NextNumber } from './vault.ts'

/** Set aside at a time, so that hardly any stand-in costs a write. */
const BLOCK = 100

/**
 * Numbers of stand-ins that repeat in no session, process or restart on one data folder. Kept results and the client's
 * own conversation outlive the vault: an old `[EMAIL_1]` must not become the address of somebody else.
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
