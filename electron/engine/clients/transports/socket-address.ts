import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOrNothing } from '../../ground/files/read-or-nothing.ts'

export interface SocketPlace {
  readonly dataDir: string
  readonly platform: NodeJS.Platform
  readonly tempDir: string
}

/** `sun_path` has 108 bytes on Linux, 104 on macOS, including the terminator. */
const MAX_PATH_BYTES = 103
/** Names the socket path if the data folder's is too long. */
export const RECORD = 'engine.socket-path'

export function findSocketAddress(place: SocketPlace): string {
  const preferred = preferredAddress(place)
  if (fits(preferred) && !isReadOnly(place)) return preferred
  // Temporary folders differ between processes, so the recorded path counts.
  return readOrNothing(join(place.dataDir, RECORD))?.trim() || shortAddress(place)
}

/** A folder that permits no socket, and no record of its path. */
export function isReadOnly({ dataDir, platform }: SocketPlace): boolean {
  if (platform === 'win32' || !existsSync(dataDir)) return false
  try {
    accessSync(dataDir, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/** Loaded when needed: a connector whose address fits the folder needs none. */
const hash = (dataDir: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(dataDir).digest('hex').slice(0, 16)

/** A separate folder, because the data folder may be shared on purpose. */
export const preferredAddress = ({ platform, dataDir }: SocketPlace): string =>
  platform === 'win32'
    ? String.raw`\\.\pipe\sluice-${hash(dataDir.toLowerCase())}`
    : join(dataDir, 'run', 'engine.sock')

export function shortAddress({ tempDir, dataDir }: SocketPlace): string {
  const path = join(tempDir, `sluice-${hash(dataDir)}`, 'engine.sock')
  return Buffer.byteLength(path) + LONGEST_ADDITION <= MAX_PATH_BYTES
    ? path
    : `/tmp/sluice-${hash(dataDir)}/engine.sock`
}

/** Suffix of a private name. */
const LONGEST_ADDITION = 7
export const fits = (path: string): boolean => Buffer.byteLength(path) <= MAX_PATH_BYTES
