import { createHash } from 'node:crypto'
import { chmod, lstat, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { SluiceError } from '../errors.ts'

export interface SocketPlace {
  readonly dataDir: string
  readonly platform: NodeJS.Platform
  /** The system's folder for temporary files. */
  readonly tempDir: string
}

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the closing zero included. */
const MAX_PATH_BYTES = 103
/** Names the socket's path when it had to move out of a data folder with a long path. */
const RECORD = 'engine.socket-path'

/** Where the engine of this data folder listens, or would. */
export async function findSocketAddress(place: SocketPlace): Promise<string> {
  const preferred = preferredAddress(place)
  if (fits(preferred)) return preferred
  // The temporary folder of the connecting process may be another one, so what the engine wrote down counts.
  const recorded = await readFile(join(place.dataDir, RECORD), 'utf8').catch(() => '')
  return recorded.trim() || shortAddress(place)
}

/** The same address, its folder made and closed to other users; a path outside the data folder is written down. */
export async function prepareSocketAddress(place: SocketPlace): Promise<string> {
  const preferred = preferredAddress(place)
  if (place.platform === 'win32') return preferred
  const path = fits(preferred) ? preferred : shortAddress(place)
  const record = join(place.dataDir, RECORD)
  makeFolder(place.dataDir)
  await closeFolder(dirname(path))
  if (path === preferred) await rm(record, { force: true })
  else await writeFile(record, `${path}\n`, { mode: 0o600 })
  return path
}

const hash = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16)

/** A folder of its own, because the data folder may be one that the user shares on purpose. */
const preferredAddress = ({ platform, dataDir }: SocketPlace): string =>
  platform === 'win32'
    ? String.raw`\\.\pipe\sluice-${hash(dataDir.toLowerCase())}`
    : join(dataDir, 'run', 'engine.sock')

function shortAddress({ tempDir, dataDir }: SocketPlace): string {
  const path = join(tempDir, `sluice-${hash(dataDir)}`, 'engine.sock')
  return fits(path) ? path : `/tmp/sluice-${hash(dataDir)}/engine.sock`
}

const fits = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES

/** A folder that somebody else made first could be swapped under us, so it must be a real one and our own. */
async function closeFolder(folder: string): Promise<void> {
  makeFolder(folder)
  const stats = await lstat(folder)
  if (!stats.isDirectory() || (process.getuid && stats.uid !== process.getuid()))
    throw new SluiceError(
      'STORE_FAILED',
      `The folder for the local socket, ${folder}, belongs to somebody else. Remove it, or choose another data folder with --data-dir.`,
    )
  await chmod(folder, 0o700)
}
