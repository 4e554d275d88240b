import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import { writeFileAtomically } from '../../ground/files/write-file-atomically.ts'

const BROWSERS_FILE = 'browsers.json'
/** Since the last use. */
const ADMITTED_FOR_MS = 30 * 24 * 3600_000
/** Of a use. */
const NOTED_EVERY_MS = 3600_000
/** Least recently used ones are removed. */
const MOST = 100

const Entry = z.object({ id: z.string(), name: z.string(), admittedAt: z.number(), usedAt: z.number() })
const File = z.object({ version: z.literal(1), browsers: z.array(Entry) })
type Entry = z.infer<typeof Entry>

export interface AdmittedBrowsers {
  list(): (Entry & { readonly endsAt: number })[]
  has(id: string): boolean
  /** Throws if it can't be stored. */
  admit(browser: Pick<Entry, 'id' | 'name'>): void
  /** Restarts the 30 days. */
  use(id: string): void
  /** Returns how many were admitted. */
  revoke(ids: readonly string[]): number
}

/**
 * Hashes of public keys in `browsers.json`, for this user only. Checked before each answer, so that other processes'
 * revocations apply at once. An unreadable file admits none.
 */
export function createAdmittedBrowsers(options: {
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Pick<Logger, 'warn'>
}): AdmittedBrowsers {
  const { now, logger } = options
  const path = join(options.dataDir, BROWSERS_FILE)
  let known: readonly Entry[] = []
  let knownStamp = ''

  const stamp = (): string => {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true })
    return found ? `${found.mtimeNs}:${found.ctimeNs}:${found.ino}:${found.size}` : ''
  }
  const read = (): readonly Entry[] => {
    try {
      const current = stamp()
      if (current === knownStamp) return known
      knownStamp = current
      known = current === '' ? [] : File.parse(JSON.parse(readFileSync(path, 'utf8'))).browsers
    } catch (error) {
      known = []
      logger.warn(`${path} can't be read, so no browser is admitted until a new link is opened.`, {
        error: messageOf(error),
      })
    }
    return known
  }
  const write = (browsers: readonly Entry[]): void => {
    writeFileAtomically(path, `${JSON.stringify({ version: 1, browsers }, undefined, 2)}\n`, 0o600)
    knownStamp = ''
  }
  const isOver = ({ usedAt }: Entry): boolean => usedAt + ADMITTED_FOR_MS <= now()
  const valid = (): Entry[] => read().filter((entry) => !isOver(entry))
  const others = (ids: readonly string[]): Entry[] => valid().filter(({ id }) => !ids.includes(id))

  return {
    list: () =>
      valid()
        .map((entry) => ({ ...entry, endsAt: entry.usedAt + ADMITTED_FOR_MS }))
        .sort((a, b) => b.usedAt - a.usedAt || b.admittedAt - a.admittedAt),
    has: (id) => valid().some((entry) => entry.id === id),
    admit: ({ id, name }) => {
      const kept = others([id])
        .sort((a, b) => b.usedAt - a.usedAt)
        .slice(0, MOST - 1)
      write([{ id, name, admittedAt: now(), usedAt: now() }, ...kept])
    },
    use: (id) => {
      const entry = valid().find((one) => one.id === id)
      // A clock set back must not extend the 30 days.
      if (!entry || Math.abs(now() - entry.usedAt) < NOTED_EVERY_MS) return
      write([{ ...entry, usedAt: now() }, ...others([id])])
    },
    revoke: (ids) => {
      const before = valid().length
      const kept = others(ids)
      if (kept.length < before) write(kept)
      return before - kept.length
    },
  }
}
