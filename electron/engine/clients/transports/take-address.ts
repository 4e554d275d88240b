import { chmod, open, rm } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SluiceError } from '../../ground/errors.ts'
import { explainFileFailure } from '../../ground/files/explain-file-failure.ts'
import { type GiveWay, readFirstLine, toWelcome } from '../connector/connector-hello.ts'

const LOCK_POLL_MS = 50
/** Takeovers take milliseconds: older locks are stale. */
const STALE_LOCK_MS = 3_000
const ANSWER_TIMEOUT_MS = 10_000

export interface TakeAddressOptions {
  readonly platform: NodeJS.Platform
  /** An engine in the background gives way to one in the foreground. */
  readonly isForeground: boolean
}

/** Listens there. Throws ENGINE_RUNNING if another engine does and stays. */
export async function takeAddress(
  server: Server,
  path: string,
  { platform, isForeground }: TakeAddressOptions,
): Promise<void> {
  const take = platform === 'win32' ? listenOrSay : takeOver
  try {
    await take(server, path)
  } catch (error) {
    const isTaken = error instanceof SluiceError && error.code === 'ENGINE_RUNNING'
    if (!isTaken || !isForeground || !(await isLeft(path))) throw error
    await take(server, path)
  }
}

/** Replaces a dead engine's socket file. */
async function takeOver(server: Server, path: string): Promise<void> {
  const release = await lock(`${path}.lock`)
  try {
    if (!(await answers(path))) await rm(path, { force: true })
    await listenOrSay(server, path)
    await chmod(path, 0o600)
  } finally {
    await release()
  }
}

/** Two engines must not remove each other's new socket. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (let waited = 0; waited < STALE_LOCK_MS; waited += LOCK_POLL_MS) {
    try {
      await (await open(path, 'wx', 0o600)).close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    await sleep(LOCK_POLL_MS)
  }
  await rm(path, { force: true })
  return lock(path)
}

async function listenOrSay(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path)
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) throw alreadyRunning(path, error)
    throw explainFileFailure(error, `The socket ${path} can't be made`)
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Whether an engine in the background left its address to this one. */
async function isLeft(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    socket.on('error', () => {})
    const hello: GiveWay = { sluice: 1, giveWay: true }
    socket.write(`${JSON.stringify(hello)}\n`)
    return (await readFirstLine(socket, toWelcome, ANSWER_TIMEOUT_MS)).ok
  } catch {
    // It ended meanwhile, or it is of an older version.
    return !(await answers(path))
  } finally {
    socket.destroy()
  }
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const alreadyRunning = (path: string, cause: unknown): SluiceError =>
  new SluiceError(
    'ENGINE_RUNNING',
    `An engine already runs on this data folder (it listens on ${path}). Use that one, stop it first, or give this one another folder with --data-dir.`,
    { cause, data: { path } },
  )
