import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { SwitchChange, SwitchState } from '../../../shared/api/switch.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import { explainFileFailure } from '../ground/files/explain-file-failure.ts'
import { makeFolder } from '../ground/files/make-folder.ts'
import { watchPath } from '../ground/files/watch-path.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'
import { LONGEST_TIMER_MS } from '../ground/longest-timer.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'switch-changed': SwitchState
  }
}

const SWITCH_FILE = 'switch.json'

/** What is off, and until when (Unix milliseconds; null: until switched on). What is on is omitted. */
const Off = z.strictObject({ until: z.number().nullable() })
const Stored = z.strictObject({ everything: Off.optional(), compression: Off.optional() })
type Stored = z.infer<typeof Stored>

export interface Switch {
  readonly current: SwitchState
  /** Throws STORE_FAILED. */
  set(change: SwitchChange): SwitchState
  refresh(): void
  close(): void
}

export interface SwitchOptions {
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Logger
  readonly events?: Events
  readonly watch?: boolean
}

/**
 * A file rather than a setting, because engines of several processes follow it. An unreadable file means on: guards
 * fail closed.
 */
export function openSwitch({ dataDir, now, logger, events, watch = true }: SwitchOptions): Switch {
  const path = join(dataDir, SWITCH_FILE)
  let stored = read()
  let published = stateOf(stored, now())
  let timer: NodeJS.Timeout | undefined

  function read(): Stored {
    try {
      return Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isMissing) logger.error(`${path} can't be read, so Sluice is on.`, { cause: messageOf(error) })
      return {}
    }
  }

  const refresh = (): void => {
    const state = stateOf(stored, now())
    if (watch) {
      clearTimeout(timer)
      const next = Math.min(state.offUntil ?? Infinity, state.compressionPausedUntil ?? Infinity)
      if (next !== Infinity)
        timer = setTimeout(refresh, Math.min(Math.max(0, next - now()) + 1, LONGEST_TIMER_MS)).unref()
    }
    if (JSON.stringify(state) === JSON.stringify(published)) return
    published = state
    logger.info(describeSwitch(state))
    events?.emit('switch-changed', state)
  }
  const readAgain = (): void => {
    stored = read()
    refresh()
  }
  const stopWatching = watch ? watchPath(path, () => readAgain(), logger) : () => {}
  refresh()

  return {
    get current() {
      return stateOf(stored, now())
    },
    set: ({ what, on, minutes }) => {
      const until = minutes === undefined ? null : now() + Math.round(minutes * 60_000)
      const next = { ...read(), [what]: on ? undefined : { until } }
      makeFolder(dataDir)
      try {
        writeFileAtomically(path, `${JSON.stringify(next)}\n`)
      } catch (error) {
        throw explainFileFailure(error, `The switch was not changed, because ${path} can't be written`)
      }
      stored = next
      refresh()
      return stateOf(stored, now())
    },
    refresh: readAgain,
    close: () => {
      clearTimeout(timer)
      stopWatching()
    },
  }
}

const ALL_ON: SwitchState = { on: true, compressing: true }

function stateOf(stored: Stored, now: number): SwitchState {
  // Every call checks, more than once.
  if (!stored.everything && !stored.compression) return ALL_ON
  const isOff = (off: Stored['everything']): boolean =>
    off !== undefined && (off.until === null || off.until > now)
  const end = (off: Stored['everything']): number | undefined =>
    isOff(off) ? (off?.until ?? undefined) : undefined
  const [offUntil, compressionPausedUntil] = [end(stored.everything), end(stored.compression)]
  return {
    on: !isOff(stored.everything),
    ...(offUntil === undefined ? {} : { offUntil }),
    compressing: !isOff(stored.everything) && !isOff(stored.compression),
    ...(compressionPausedUntil === undefined ? {} : { compressionPausedUntil }),
  }
}

function describeSwitch(state: SwitchState): string {
  if (!state.on) return 'Sluice is off: clients reach their servers directly; approvals apply.'
  return state.compressing ? 'Sluice is on.' : 'Compression is paused.'
}
