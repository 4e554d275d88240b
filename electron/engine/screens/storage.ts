import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from '../../../shared/api/settings.ts'

/** SQLite's. */
const SIDE_FILE = /-(?:wal|shm|journal)$/

export async function storageOf(folder: string): Promise<Storage> {
  const sizes = new Map<string, number>()
  for (const entry of await entriesOf(folder)) {
    const name = entry.name.replace(SIDE_FILE, '')
    sizes.set(name, (sizes.get(name) ?? 0) + (await sizeOf(folder, entry)))
  }
  const parts = [...sizes].map(([name, bytes]) => ({ name, bytes }))
  return { folder, parts: parts.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes) }
}

async function sizeOf(folder: string, entry: Dirent): Promise<number> {
  const path = join(folder, entry.name)
  if (!entry.isDirectory()) return (await lstat(path).catch(() => undefined))?.size ?? 0
  let sum = 0
  for (const inner of await entriesOf(path)) sum += await sizeOf(path, inner)
  return sum
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => [])
