import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import { writeFileAtomically } from '../../ground/files/write-file-atomically.ts'
import { DeviceKind } from '../process-messages.ts'
import type { Machine } from './machine.ts'

const MeasuredModel = z.object({
  device: DeviceKind,
  deviceName: z.string().optional(),
  /** With the reasons. */
  refused: z.array(z.object({ device: DeviceKind, reason: z.string() })),
  threads: z.int().positive(),
  promptTokensPerSecond: z.number().positive(),
  outputTokensPerSecond: z.number().positive(),
  /** Unix milliseconds. */
  measuredAt: z.number(),
})
export type MeasuredModel = z.infer<typeof MeasuredModel>

const Stored = z.object({ machine: z.string(), models: z.record(z.string(), MeasuredModel) })

/** Survives restarts, but not a move to another machine. */
export interface SpeedStore {
  get(modelKey: string): MeasuredModel | undefined
  set(modelKey: string, measured: MeasuredModel): void
  usualThreads(): number | undefined
}

export function openSpeedStore(path: string, machine: Machine, logger: Logger): SpeedStore {
  const fingerprint = [machine.platform, machine.arch, machine.cpu, machine.cores].join(' ')
  const read = (): z.infer<typeof Stored> => {
    try {
      const stored = Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
      if (stored.machine === fingerprint) return stored
    } catch {
      // Absent or from another version: measure again.
    }
    return { machine: fingerprint, models: {} }
  }
  let known = read()
  let readAt = changedAt(path)
  /** Another process may have measured meanwhile. */
  const current = (): z.infer<typeof Stored> => {
    const at = changedAt(path)
    if (at !== undefined && at !== readAt) {
      known = read()
      readAt = at
    }
    return known
  }
  return {
    get: (modelKey) => current().models[modelKey],
    set: (modelKey, measured) => {
      known = { machine: fingerprint, models: { ...read().models, [modelKey]: measured } }
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        writeFileAtomically(path, `${JSON.stringify(known, null, 2)}\n`)
      } catch (error) {
        logger.warn(`The speed of the model can't be kept in ${path}; it is measured again next time.`, {
          cause: messageOf(error),
        })
      }
    },
    usualThreads: () =>
      Object.values(current().models)
        .filter(({ device }) => device === 'cpu')
        .sort((a, b) => b.measuredAt - a.measuredAt)[0]?.threads,
  }
}

const changedAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs
