import { existsSync, lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, lstat, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SluiceError } from '../../ground/errors.ts'
import { whileLocked } from '../../ground/files/lock.ts'
import { makeFolder } from '../../ground/files/make-folder.ts'
import {
  fits,
  isReadOnly,
  preferredAddress,
  RECORD,
  shortAddress,
  type SocketPlace,
} from './socket-address.ts'

/** Private; records a path outside the data folder. If another user has the name, uses an unpredictable folder. */
export async function prepareSocketAddress(place: SocketPlace): Promise<string> {
  const preferred = preferredAddress(place)
  if (place.platform === 'win32') return preferred
  if (isReadOnly(place)) return await privateAddress(shortAddress(place))
  const record = join(place.dataDir, RECORD)
  makeFolder(place.dataDir)
  if (fits(preferred)) {
    await rm(record, { force: true })
    return await privateAddress(preferred)
  }
  // Engines starting at once must agree.
  return await privateAddress(whileLocked(record, () => outsideAddress(place, record)))
}

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
