import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMap, parseDocument, YAMLSeq } from 'yaml'

/**
 * Packages of several machines with one list of check sums: `node electron/packaging/release/collect.ts FROM TO`.
 * FROM has one folder per machine.
 */

export const CHECK_SUMS = 'SHA256SUMS'

/** Packers leave others beside them. */
const RELEASED = /\.(dmg|zip|exe|AppImage|deb|blockmap|cdx\.json)$|^latest[\w-]*\.yml$/

export function collectRelease(from: string, to: string): string[] {
  mkdirSync(to, { recursive: true })
  const found = new Map<string, string[]>()
  for (const path of filesBelow(from)) {
    const name = basename(path)
    if (RELEASED.test(name)) found.set(name, [...(found.get(name) ?? []), path])
  }
  if (found.size === 0) throw new Error(`Nothing to release was found in ${from}.`)
  for (const [name, [first = '', ...others]] of found) {
    if (others.length === 0) copyFileSync(first, join(to, name))
    else if (name.endsWith('.yml')) writeFileSync(join(to, name), joinFeeds([first, ...others]))
    else throw new Error(`${name} was made more than once: ${[first, ...others].join(', ')}.`)
  }
  const names = [...found.keys()].sort((a, b) => (a < b ? -1 : 1))
  return names
}

/** sha256sum's format, for `sha256sum --check` and `shasum -a 256 --check`. */
export function writeCheckSums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => name !== CHECK_SUMS)
    .sort((a, b) => (a < b ? -1 : 1))
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(folder, CHECK_SUMS), lines.join(''))
}

/** electron-updater reads one feed for both Mac processors, packed by two machines. */
function joinFeeds(paths: readonly string[]): string {
  const [first, ...others] = paths.map((path) => parseDocument(readFileSync(path, 'utf8')))
  const files = first?.get('files')
  if (!first || !(files instanceof YAMLSeq)) throw new Error(`${paths[0]} names no files.`)
  for (const [i, other] of others.entries()) {
    const more = other.get('files')
    if (!(more instanceof YAMLSeq)) throw new Error(`${paths[i + 1]} names no files.`)
    if (other.get('version') !== first.get('version')) {
      throw new Error(`${paths[0]} and ${paths[i + 1]} are of different versions.`)
    }
    for (const file of more.items) if (isMap(file)) files.add(file)
  }
  return first.toString()
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort((a, b) => (a < b ? -1 : 1))
}

if (import.meta.main) {
  const [, , from, to] = process.argv
  if (from === undefined || to === undefined) {
    process.stderr.write('node electron/packaging/release/collect.ts FROM TO\n')
    process.exitCode = 2
  } else {
    process.stdout.write(
      collectRelease(from, to)
        .map((name) => `${name}\n`)
        .join(''),
    )
    writeCheckSums(to)
  }
}
