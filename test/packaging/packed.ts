import { execFile } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { getRawHeader } from '@electron/asar'
import { projectFolder } from '../../electron/packaging/read-config.ts'

/** electron-builder asks npm for installed packages, and npm does not follow a link to another folder's packages. */
export const whyNotPacked: string | undefined = lstatSync(
  join(projectFolder, 'node_modules'),
).isSymbolicLink()
  ? 'Nothing is packed, because node_modules is a link here: npm ci'
  : undefined

/** Packs for one system into `folder`; returns the folder to be installed. */
export async function packMadeUp(folder: string, ...args: string[]): Promise<string> {
  const script = resolve(import.meta.dirname, 'pack-made-up.ts')
  // Checksums take buffers, for each few of which V8 would mark a heap this large: two fifths of the time.
  const v8 = ['--initial-old-space-size=1000']
  await promisify(execFile)(process.execPath, [...v8, script, folder, ...args], {
    cwd: projectFolder,
    maxBuffer: 64_000_000,
  })
  const [packed = ''] = readdirSync(join(folder, 'packed'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  return join(folder, 'packed', packed)
}

export interface PackedFile {
  /** In the archive, always with slashes. */
  readonly path: string
  readonly size: number
  /** Beside the archive, not in it. */
  readonly isUnpacked: boolean
}

/** All files in app.asar. */
export function listArchive(archive: string): PackedFile[] {
  const found: PackedFile[] = []
  const walk = (files: ArchiveFolder, below: string): void => {
    for (const [name, entry] of Object.entries(files)) {
      const path = `${below}${name}`
      if ('files' in entry) walk(entry.files, `${path}/`)
      else found.push({ path, size: entry.size ?? 0, isUnpacked: entry.unpacked === true })
    }
  }
  walk((getRawHeader(archive).header as unknown as { files: ArchiveFolder }).files, '')
  return found
}

type ArchiveFolder = Record<string, { files: ArchiveFolder } | { size?: number; unpacked?: boolean }>

/** The package folder of a file, as in package-lock.json; undefined for Sluice's own. */
export const packageOf = (path: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]

/** Size by part, largest first. */
export function sizeByPart(files: readonly PackedFile[]): [part: string, bytes: number][] {
  const sizes = new Map<string, number>()
  for (const { path, size } of files) {
    const part = packageOf(path)?.replace(/^node_modules\//, '') ?? path.split('/').slice(0, 2).join('/')
    sizes.set(part, (sizes.get(part) ?? 0) + size)
  }
  return [...sizes].sort(([, a], [, b]) => b - a)
}
