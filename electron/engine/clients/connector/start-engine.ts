import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SluiceError } from '../../ground/errors.ts'
import { tryLock } from '../../ground/files/lock.ts'
import { makeFolder } from '../../ground/files/make-folder.ts'
import { requireFolder } from '../../ground/files/require-folder.ts'
import type { EngineLink } from './engine-link.ts'

/** Starts an engine that ends by itself when its last client has left. */
export interface EngineCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

export interface StartEngineOptions {
  readonly dataDir: string
  readonly engineCommand: () => Promise<EngineCommand>
  /** Undefined if no engine runs yet. */
  readonly join: () => Promise<EngineLink | undefined>
  /** Takes the engine's warnings. */
  readonly stderr: Writable
  readonly stop: AbortSignal
}

const LOOK_MS = 25
/** An engine needs a second; a busy machine needs more. */
const PATIENCE_MS = 60_000
/** The connector that starts one hangs. */
const OLD_MS = 20_000

/** Joins the engine of the data folder, started by the first connector that finds none. */
export async function startEngine(options: StartEngineOptions): Promise<EngineLink> {
  const { dataDir, engineCommand, join: joinEngine, stderr, stop } = options
  // Starting a process there would fail without naming it.
  requireFolder(dataDir)
  makeFolder(dataDir)
  const deadline = performance.now() + PATIENCE_MS
  const oldFrom = performance.now() + OLD_MS
  const isOld = (): boolean => performance.now() > oldFrom
  let unlock: (() => void) | undefined
  let starting: Starting | undefined
  try {
    while (performance.now() < deadline && !stop.aborted) {
      const link = await joinEngine()
      if (link) return link
      unlock ??= lockStart(dataDir, isOld)
      if (unlock) starting ??= start(await engineCommand(), dataDir)
      const ended = await Promise.race([sleep(LOOK_MS), ...(starting ? [starting.ended] : [])])
      // Another engine was faster.
      if (ended === 0) starting = undefined
    }
    throw new SluiceError(
      'ENGINE_UNREACHABLE',
      `The Sluice engine of ${dataDir} did not start in time. Its log is ${join(dataDir, 'logs', 'sluice.log')}.`,
    )
  } finally {
    unlock?.()
    starting?.leave(stderr)
  }
}

/** Undefined while another connector starts one. */
function lockStart(dataDir: string, isOld: () => boolean): (() => void) | undefined {
  try {
    const lock = join(dataDir, 'run', 'engine.starting')
    makeFolder(dirname(lock))
    return tryLock(lock, isOld)
  } catch {
    // A read-only folder: of two engines, one ends at once. Any other reason the engine meets, too, and says.
    return () => {}
  }
}

interface Starting {
  /** Resolves with 0 if another engine runs; rejects with the reason of a failure. */
  readonly ended: Promise<0>
  /** The engine goes on without this process. */
  leave(stderr: Writable): void
}

/** In a group of its own, so that what ends this connector doesn't end the engine. */
function start({ command, args, env }: EngineCommand, cwd: string): Starting {
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(command, args, { cwd, env, detached: true, windowsHide: true, stdio: [...stdio] })
  let held = ''
  const hold = (text: string): void => void (held += text)
  child.stderr.setEncoding('utf8').on('data', hold)
  const ended = new Promise<0>((resolve, reject) => {
    const fail = (reason: string): void => reject(new SluiceError('ENGINE_UNREACHABLE', reason))
    child.once('error', (error) => fail(`The Sluice engine could not be started: ${error.message}`))
    child.once('close', (code, signal) => {
      const reason = held.trim().replace(/^sluice: /m, '')
      if (code === 0) resolve(0)
      else fail(reason || `The Sluice engine ended at its start (${signal ?? `exit code ${code}`}).`)
      held = ''
    })
  })
  // No caller may be waiting: avoids an unhandled rejection.
  ended.catch(() => {})
  return {
    ended,
    leave: (stderr) => {
      child.unref()
      stderr.write(held)
      child.stderr
        .off('data', hold)
        .on('error', () => {})
        .pipe(stderr, { end: false })
      if (child.stderr instanceof Socket) child.stderr.unref()
    },
  }
}
