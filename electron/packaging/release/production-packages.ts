import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { projectFolder } from '../read-config.ts'

interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

export interface LockedPackage {
  /** Such as "zod@4.6.7". */
  readonly id: string
  readonly name: string
  readonly version: string
  /** npm's format: "sha512-" and base64. */
  readonly integrity?: string
  readonly licence?: string
  /** Only on some systems, such as "@napi-rs/keyring-linux-x64-gnu". */
  readonly isOptional: boolean
  readonly needs: readonly string[]
}

type Lock = Readonly<Record<string, LockEntry>>

/** With dependencies, resolved by Node's rules. */
function lockedPackages(roots: readonly string[], lock: Lock): ReadonlyMap<string, LockedPackage> {
  const found = new Map<string, LockedPackage>()
  const seen = new Set<string>()
  const follow = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const entry = lock[path] ?? {}
    const needed = needsOf(path, entry, lock)
    const id = idOf(path, entry)
    found.set(id, {
      id,
      name: nameOf(path, entry),
      version: entry.version ?? '',
      integrity: entry.integrity,
      licence: entry.license,
      isOptional: entry.optional === true && found.get(id)?.isOptional !== false,
      needs: needed.map((other) => idOf(other, lock[other] ?? {})),
    })
    for (const other of needed) follow(other)
  }
  for (const root of roots) {
    const path = findFrom('', root, lock)
    if (path !== undefined) follow(path)
  }
  return found
}

export function productionPackages(lock: Lock = readLock()): ReadonlyMap<string, LockedPackage> {
  return lockedPackages(Object.keys(lock['']?.dependencies ?? {}), lock)
}

export function readLock(): Lock {
  const text = readFileSync(resolve(projectFolder, 'package-lock.json'), 'utf8')
  return (JSON.parse(text) as { packages: Lock }).packages
}

const nameOf = (path: string, { name }: LockEntry): string =>
  name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const idOf = (path: string, entry: LockEntry): string => `${nameOf(path, entry)}@${entry.version}`

function needsOf(path: string, entry: LockEntry, lock: Lock): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry
  const peers = Object.keys(peerDependencies).filter((name) => !entry.peerDependenciesMeta?.[name]?.optional)
  const names = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers])
  return [...names].flatMap((name) => findFrom(path, name, lock) ?? [])
}

/** The nearest node_modules above. */
function findFrom(from: string, name: string, lock: Lock): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock[path] !== undefined) return path
    if (folder === '') return undefined
  }
}
