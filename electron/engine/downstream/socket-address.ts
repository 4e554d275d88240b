import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
  if (place.platform === 'win32') return pipeName(place.dataDir)
  const inside = join(place.dataDir, 'engine.sock')
  if (Buffer.byteLength(inside) <= MAX_PATH_BYTES) return inside
  // The temporary folder of the connecting process may be another one, so what the engine wrote down counts.
  const recorded = await readFile(join(place.dataDir, RECORD), 'utf8').catch(() => '')
  return recorded.trim() || shortPath(place)
}

/** The same address, its folder made and closed to other users; a path outside the data folder is written down. */
export async function prepareSocketAddress(place: SocketPlace): Promise<string> {
  if (place.platform === 'win32') return pipeName(place.dataDir)
  const inside = join(place.dataDir, 'engine.sock')
  const path = Buffer.byteLength(inside) <= MAX_PATH_BYTES ? inside : shortPath(place)
  await closeFolder(dirname(path))
  const record = join(place.dataDir, RECORD)
  if (path === inside) await rm(record, { force: true })
  else {
    await mkdir(place.dataDir, { recursive: true, mode: 0o700 })
    await writeFile(record, `${path}\n`, { mode: 0o600 })
  }
  return path
}

const hash = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16)

const pipeName = (dataDir: string): string => String.raw`\\.\pipe\sluice-${hash(dataDir.toLowerCase())}`

const shortPath = ({ tempDir, dataDir }: SocketPlace): string =>
  join(tempDir, `sluice-${hash(dataDir)}`, 'engine.sock')

/** A folder that somebody else made first could be swapped under us, so it must be a real one and our own. */
async function closeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stats = await lstat(folder)
  if (!stats.isDirectory() || (process.getuid && stats.uid !== process.getuid()))
    throw new SluiceError(
      'STORE_FAILED',
      `The folder for the local socket, ${folder}, belongs to somebody else. Remove it, or choose another data folder with --data-dir.`,
    )
  await chmod(folder, 0o700)
}
