import { randomBytes } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { makeFolder } from '../ground/files/make-folder.ts'
import type { CallRow } from './call-row.ts'

export type StartedCall = Pick<CallRow, 'id' | 'at' | 'client' | 'session' | 'server' | 'tool'>

export interface CallJournal {
  begin(call: StartedCall): void
  /** The ledger has their rows. */
  booked(rows: readonly Pick<CallRow, 'id'>[]): void
  keep(rows: readonly CallRow[]): void
  /** Keeps a file with such rows. */
  close(): void
}

/** Finished calls are removed from a larger file. */
const LARGEST = 256 * 1024
/** The call's engine ended. */
const UNFINISHED =
  'Sluice ended before the answer came, without being asked to. The server may have carried the call out.'

/** Of engines in this process: a former process may have had its pid. */
const openHere = new Set<string>()

const Line = z.object({
  id: z.string(),
  at: z.number(),
  client: z.string(),
  session: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Undefined if unfinished. */
  outcome: z.enum(['ok', 'error', 'refused', 'cancelled']).optional(),
  tokensBefore: z.number().default(0),
  tokensAfter: z.number().default(0),
  tokensAdded: z.number().default(0),
  strategy: z.string().optional(),
  resultId: z.string().optional(),
  ms: z.number().default(0),
  cached: z.boolean().default(false),
  note: z.string().optional(),
  trial: z.enum(['held', 'shortened']).optional(),
})

/** Creates `folder` with the first call. If not writable, calls continue without it. */
export function openJournal({ folder, logger }: { folder: string; logger: Logger }): CallJournal {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}.jsonl`
  const path = join(folder, name)
  openHere.add(name)
  const open = new Map<string, StartedCall>()
  /** Written after their requests have left. */
  let begun: StartedCall[] = []
  let file: number | undefined
  let isGivenUp = false
  let waiting = ''
  let written = 0
  let writing: NodeJS.Immediate | undefined
  let holdsRows = false
  const write = (): void => {
    writing = undefined
    waiting = linesOf(begun) + waiting
    begun = []
    if (waiting === '' || isGivenUp) return
    try {
      if (file === undefined) {
        makeFolder(folder)
        file = openSync(path, 'ax', 0o600)
      }
      if (written > LARGEST && !holdsRows) {
        ftruncateSync(file, 0)
        written = 0
        waiting = linesOf([...open.values()])
      }
      writeSync(file, waiting)
      written += waiting.length
    } catch (error) {
      isGivenUp = true
      logger.debug('calls under way can not be recorded', { cause: messageOf(error) })
    }
    waiting = ''
  }
  return {
    begin: (call) => {
      open.set(call.id, call)
      begun.push(call)
      writing ??= setImmediate(write)
    },
    booked: (rows) => {
      for (const { id } of rows) open.delete(id)
    },
    keep: (rows) => {
      waiting += linesOf(rows)
      holdsRows ||= rows.length > 0
      write()
    },
    close: () => {
      clearImmediate(writing)
      openHere.delete(name)
      if (file === undefined) return
      closeSync(file)
      if (!holdsRows) rmSync(path, { force: true })
    },
  }
}

const linesOf = (calls: readonly StartedCall[]): string =>
  calls.map((call) => `${JSON.stringify(call)}\n`).join('')

/**
 * What ended engines left: unwritten rows and unfinished calls. `book` skips ids already in the ledger. True: some
 * engine hasn't ended yet; a killed one may take a while.
 */
export async function bookLeftCalls(options: {
  readonly folder: string
  readonly isRunning: (pid: number) => boolean
  readonly book: (rows: readonly CallRow[]) => Promise<void>
  readonly logger: Logger
}): Promise<boolean> {
  const { folder, isRunning, book, logger } = options
  let isSomeRunning = false
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = /^(\d+)-[0-9a-f]+\.jsonl$/.exec(name)?.[1]
    if (pid === undefined || openHere.has(name)) continue
    if (Number(pid) !== process.pid && isRunning(Number(pid))) {
      isSomeRunning = true
      continue
    }
    const path = join(folder, name)
    try {
      const rows = new Map<string, CallRow>()
      for (const line of (await readFile(path, 'utf8')).split('\n')) {
        const row = readLine(line)
        if (row) rows.set(row.id, row)
      }
      if (rows.size > 0) await book([...rows.values()])
      await rm(path, { force: true })
    } catch (error) {
      logger.warn('Calls of an engine that ended could not be booked; the next start tries again.', {
        file: path,
        cause: messageOf(error),
      })
    }
  }
  return isSomeRunning
}

/** Cut off by a crash: undefined. */
function readLine(line: string): CallRow | undefined {
  if (line === '') return undefined
  try {
    const { outcome, strategy, resultId, note, trial, ...row } = Line.parse(JSON.parse(line))
    const hasEnded = outcome !== undefined
    return {
      ...row,
      outcome: outcome ?? 'error',
      strategy,
      resultId,
      trial,
      note: hasEnded ? note : UNFINISHED,
    }
  } catch {
    return undefined
  }
}
