import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { projectFolder } from '../../packaging/read-config.ts'

interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

export interface ProductionPackages {
  /** What running needs, such as "zod@4.6.7". */
  readonly needed: ReadonlySet<string>
  /** Of some system only, such as "@napi-rs/keyring-linux-x64-gnu@2.1.2". */
  readonly optional: ReadonlySet<string>
}

/** Follows the dependencies in package-lock.json from Sluice's own, by the rules of Node, past those for development. */
export function productionPackages(): ProductionPackages {
  const { packages } = JSON.parse(readFileSync(resolve(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockEntry>>
  }
  const needed = new Set<string>()
  const optional = new Set<string>()
  const seen = new Set<string>()
  const follow = (from: string): void => {
    const entry = packages[from]
    if (!entry || seen.has(from)) return
    seen.add(from)
    const name = entry.name ?? from.slice(from.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (from !== '') (entry.optional ? optional : needed).add(`${name}@${entry.version}`)
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = entry
    const peers = Object.keys(peerDependencies).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    )
    for (const dependency of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      const found = findFrom(from, dependency)
      if (found !== undefined) follow(found)
    }
  }
  const findFrom = (from: string, name: string): string | undefined => {
    for (let folder = from; ;) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      if (packages[path]) return path
      if (folder === '') return undefined
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
    }
  }
  follow('')
  return { needed, optional }
}
