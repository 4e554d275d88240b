import { createHash } from 'node:crypto'
import { constants, existsSync, lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { access, chmod, lstat, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../ground/files/make-folder.ts'
import { SluiceError } from '../../ground/errors.ts'
import { whileLocked } from '../../ground/files/lock.ts'

export interface SocketPlace {
  readonly dataDir: string
  readonly platform: NodeJS.Platform
  readonly tempDir: string
}

/** `sun_path` has 108 bytes on Linux, 104 on macOS, including the terminator. */
const MAX_PATH_BYTES = 103
/** Names the socket path if the data folder's is too long. */
const RECORD = 'engine.socket-path'

export async function findSocketAddress(place: SocketPlace): Promise<string> {
  const preferred = preferredAddress(place)
  if (fits(preferred) && !(await isReadOnly(place))) return preferred
  // Temporary folders differ between processes, so the recorded path counts.
  const recorded = await readFile(join(place.dataDir, RECORD), 'utf8').catch(() => '')
  return recorded.trim() || shortAddress(place)
}

/** Private; records a path outside the data folder. If another user has the name, uses an unpredictable folder. */
export async function prepareSocketAddress(place: SocketPlace): Promise<string> {
  const preferred = preferredAddress(place)
  if (place.platform === 'win32') return preferred
  if (await isReadOnly(place)) return await privateAddress(shortAddress(place))
  const record = join(place.dataDir, RECORD)
  makeFolder(place.dataDir)
  if (fits(preferred)) {
    await rm(record, { force: true })
    return await privateAddress(preferred)
  }
  // Engines starting at once must agree.
  return await privateAddress(whileLocked(record, () => outsideAddress(place, record)))
}

/** A folder that permits no socket, and no record of its path. */
const isReadOnly = async ({ dataDir, platform }: SocketPlace): Promise<boolean> =>
  platform !== 'win32' &&
  existsSync(dataDir) &&
  !(await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  ))

async function privateAddress(path: string): Promise<string> {
  makeFolder(dirname(path))
  await closeFolder(dirname(path))
  return path
}

/** A folder with another engine's socket stays. */
export async function removeSocketFolder(place: SocketPlace, path: string): Promise<void> {
  if (path !== preferredAddress(place)) await rmdir(dirname(path)).catch(() => {})
}

function outsideAddress(place: SocketPlace, record: string): string {
  const usual = shortAddress(place)
  const known = existsSync(record) ? readFileSync(record, 'utf8').trim() : ''
  const folder = [dirname(known === '' ? usual : known), dirname(usual)].find(isOwnFolder)
  const path =
    folder === undefined
      ? join(mkdtempSync(`${dirname(usual)}-`), 'engine.sock')
      : join(folder, 'engine.sock')
  writeFileSync(record, `${path}\n`, { mode: 0o600 })
  return path
}

/** Creates it if missing. */
function isOwnFolder(folder: string): boolean {
  try {
    makeFolder(folder)
    const stats = lstatSync(folder)
    return stats.isDirectory() && (!process.getuid || stats.uid === process.getuid())
  } catch {
    return false
  }
}

const hash = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16)

/** A separate folder, because the data folder may be shared on purpose. */
const preferredAddress = ({ platform, dataDir }: SocketPlace): string =>
  platform === 'win32'
    ? String.raw`\\.\pipe\sluice-${hash(dataDir.toLowerCase())}`
    : join(dataDir, 'run', 'engine.sock')

function shortAddress({ tempDir, dataDir }: SocketPlace): string {
  const path = join(tempDir, `sluice-${hash(dataDir)}`, 'engine.sock')
  return Buffer.byteLength(path) + LONGEST_ADDITION <= MAX_PATH_BYTES
    ? path
    : `/tmp/sluice-${hash(dataDir)}/engine.sock`
}

/** Suffix of a private name. */
const LONGEST_ADDITION = 7
const fits = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES

/** Another user could exchange a folder they created, so it must be real and ours. */
async function closeFolder(folder: string): Promise<void> {
  const stats = await lstat(folder)
  if (!stats.isDirectory() || (process.getuid && stats.uid !== process.getuid()))
    throw new SluiceError(
      'STORE_FAILED',
      `The folder for the local socket, ${folder}, belongs to another user. Remove it, or choose another data folder with --data-dir.`,
    )
  await chmod(folder, 0o700)
}
