import { join } from 'node:path'
import type { ClientFiles } from './client-files.ts'
import { hashOf } from './load-client-file.ts'

export const backupsFolder = (dataDir: string): string => join(dataDir, 'backups')

interface BackedUp {
  /** Unix milliseconds. */
  readonly at: number
  readonly what: string
  /** Path of the file. */
  readonly file: string
}

/** Of a new backup: time, what and file in its name, with a number where that is taken. */
export function newBackupFolder(
  files: Pick<ClientFiles, 'facts'>,
  folder: string,
  { at, what, file }: BackedUp,
): string {
  const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, '-')
  const name = join(folder, `${stamp}-${what}-${hashOf(Buffer.from(file)).slice(0, 8)}`)
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`
    if (!files.facts(candidate)) return candidate
  }
}
