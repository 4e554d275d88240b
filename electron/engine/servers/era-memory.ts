import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { Era } from '../protocol/era.ts'
import { MODERN_VERSION } from '../protocol/era.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'

export interface EraMemory {
  get(launch: string): Era | undefined
  /** `isCertain`: false if inferred from silence, which may be a slow start. */
  set(launch: string, era: Era, isCertain: boolean): void
}

const Remembered = z.object({
  era: z.enum(['legacy', 'modern']),
  isCertain: z.boolean(),
  /** Unix milliseconds. */
  at: z.number(),
})
const Kept = z.object({ version: z.literal(1), eras: z.record(z.string(), Remembered) })
type Eras = z.infer<typeof Kept>['eras']

const DAY_MS = 24 * 3600_000
/** Servers are updated. */
const CERTAIN_MS = 30 * DAY_MS
const SILENT_MS = DAY_MS
const MOST = 1000

/**
 * In a file: known servers are asked in their era at once, even after restarts. A wrong entry costs one request.
 * Fails open: nothing is stored.
 */
export function createEraMemory(options: { path: string; now: () => number; logger: Logger }): EraMemory {
  const { path, now, logger } = options
  const state: { eras: Eras | undefined } = { eras: undefined }
  const isFresh = ({ isCertain, at }: z.infer<typeof Remembered>): boolean => {
    const age = now() - at
    return age >= 0 && age < (isCertain ? CERTAIN_MS : SILENT_MS)
  }
  const known = (): Eras => (state.eras ??= read(path))
  return {
    get: (launch) => {
      const found = known()[keyOf(launch)]
      return found && isFresh(found) ? found.era : undefined
    },
    set: (launch, era, isCertain) => {
      const key = keyOf(launch)
      const before = known()[key]
      if (before && isFresh(before)) {
        // One slow start doesn't change a certain era.
        if (before.isCertain && !isCertain) return
        const isSame = before.era === era && before.isCertain === isCertain
        if (isSame && now() - before.at < SILENT_MS / 2) return
      }
      try {
        // Other processes write here, too.
        const all = { ...read(path), [key]: { era, isCertain, at: now() } }
        const fresh = Object.entries(all).filter(([, entry]) => isFresh(entry))
        const latest = fresh.toSorted(([, a], [, b]) => b.at - a.at).slice(0, MOST)
        state.eras = Object.fromEntries(latest)
        writeFileAtomically(path, JSON.stringify({ version: 1, eras: state.eras }))
      } catch (error) {
        logger.debug('eras are not remembered', { cause: messageOf(error) })
      }
    },
  }
}

/** Hashed, because arguments may be secret. Another Sluice may use another revision. */
const keyOf = (launch: string): string =>
  createHash('sha256').update(`${MODERN_VERSION}\n${launch}`).digest('base64url')

function read(path: string): Eras {
  try {
    return Kept.parse(JSON.parse(readFileSync(path, 'utf8'))).eras
  } catch {
    return {}
  }
}
