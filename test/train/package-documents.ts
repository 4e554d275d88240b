import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'

const MODULES = new URL('../../node_modules/', import.meta.url)
const LICENCES = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC'])
const KINDS = {
  licences: /^licen[cs]e/i,
  changelogs: /^(?:changelog|changes|history)/i,
  readmes: /^readme/i,
  notices: /^(?:notice|third.?party)/i,
} as const
const TEXT = /\.(?:md|markdown|txt|rst)$|^[A-Z-]+$/i
/** Characters. */
const SHORTEST = 300
const LONGEST = 600_000

export interface PackageDocument {
  readonly package: string
  /** From the folder of packages. */
  readonly path: string
  readonly licence: string
  readonly kind: keyof typeof KINDS
  /** Its package is left out of training, by a hash of its name. */
  readonly isHeldOut: boolean
  readonly text: string
}

/** Licences, changelogs, READMEs and notices of the installed packages under free licences, each text once. */
export function readPackageDocuments(): PackageDocument[] {
  const seen = new Set<string>()
  return globSync('**/package.json', { cwd: MODULES })
    .toSorted()
    .flatMap((manifest) => {
      const folder = manifest.slice(0, -'package.json'.length)
      const { name, licence } = readManifest(manifest)
      if (name === undefined || !folder.endsWith(`${name}/`) || !LICENCES.has(licence)) return []
      return globSync('*', { cwd: new URL(folder, MODULES) })
        .toSorted()
        .flatMap((file): PackageDocument[] => {
          const kind = kindOf(file)
          const path = `${folder}${file}`
          if (!kind || !TEXT.test(file) || !statSync(new URL(path, MODULES)).isFile()) return []
          const text = readFileSync(new URL(path, MODULES), 'utf8')
          const known = text.replace(/^.*copyright \D?.*$/gim, '')
          if (text.length < SHORTEST || text.length > LONGEST || seen.has(known)) return []
          seen.add(known)
          return [{ package: name, path, licence, kind, isHeldOut: isHeldOut(name), text }]
        })
    })
}

function kindOf(file: string): keyof typeof KINDS | undefined {
  for (const kind of ['licences', 'changelogs', 'readmes', 'notices'] as const)
    if (KINDS[kind].test(file)) return kind
  return undefined
}

function readManifest(path: string): { name?: string; licence: string } {
  try {
    const { name, license }: { name?: unknown; license?: unknown } = JSON.parse(
      readFileSync(new URL(path, MODULES), 'utf8'),
    )
    return typeof name === 'string' && typeof license === 'string'
      ? { name, licence: license }
      : { licence: '' }
  } catch {
    return { licence: '' }
  }
}

const isHeldOut = (name: string): boolean => (createHash('sha256').update(name).digest()[0] ?? 0) % 2 === 1
