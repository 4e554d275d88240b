import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { imports, root, sources, type Import } from './import-graph.ts'

// Derives the import rules from the sources again, so that a weakened linter configuration is noticed.

const shown = (found: readonly Import[]): string[] => found.map(({ from, to }) => `${from} → ${to}`)

describe('import rules', () => {
  it('nobody changes V8’s flags after the start', () => {
    const changing = sources.filter((path) =>
      readFileSync(join(root, path), 'utf8').includes('setFlagsFromString'),
    )
    expect(changing).toEqual([])
  })

  it('finds the sources at all', () => {
    expect(sources.length).toBeGreaterThan(60)
    expect(imports.length).toBeGreaterThan(200)
  })

  it('keeps electron out of the engine', () => {
    const found = imports.filter(({ from, to }) => from.startsWith('electron/engine/') && to === 'electron')
    expect(shown(found)).toEqual([])
  })

  it('keeps the engine apart from the desktop shell, the CLI and the screens', () => {
    const found = imports.filter(
      ({ from, to }) =>
        from.startsWith('electron/engine/') &&
        /^(electron\/(app|cli)\/|electron\/[\w-]+\.ts|renderer\/)/.test(to),
    )
    expect(shown(found)).toEqual([])
  })

  it('lets shared/ import nothing but zod, the contract library and itself', () => {
    const found = imports.filter(
      ({ from, to }) => from.startsWith('shared/') && !/^(zod|@orpc\/contract|shared\/)/.test(to),
    )
    expect(shown(found)).toEqual([])
  })

  it('lets the screens reach the engine only through the contract', () => {
    const found = imports.filter(
      ({ from, to }) => from.startsWith('renderer/') && /^(electron|node:)/.test(to),
    )
    expect(shown(found)).toEqual([])
  })

  it('reads the environment, the home folder and the clock only at the edges', () => {
    const found = sources
      .filter((path) => path.startsWith('electron/engine/'))
      .filter((path) =>
        /\bprocess\.env\b|\bhomedir\(|\bDate\.now\(|\bnew Date\(\)/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
      )
    expect(found).toEqual([])
  })

  it('keeps every file under 400 lines and every folder named after something', () => {
    const all = [...sources, ...globSync('test/**/*.ts', { cwd: root })]
    const long = all.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 401)
    expect(long).toEqual([])
    expect(all.filter((path) => /(^|\/)(utils?|common|misc|services?)\//.test(path))).toEqual([])
  })
})

/** Folders where Node searches for dependencies of the package at `path`, nearest first, each with a trailing slash. */
function foldersAbove(path: string): string[] {
  const up = path.lastIndexOf('/node_modules/')
  return [`${path}/`, ...(up === -1 ? [''] : foldersAbove(path.slice(0, up)))]
}

describe('lock file', () => {
  it('has an entry for every optional dependency, or `npm ci` refuses it', () => {
    const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const packages = (lock as { packages: Record<string, { optionalDependencies?: Record<string, string> }> })
      .packages
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter(
        (name) => !foldersAbove(path).some((folder) => packages[`${folder}node_modules/${name}`]),
      ),
    )
    expect(missing).toEqual([])
  })

  it('has a hash for every package but builds for other systems, which can be locked only where they are served', () => {
    const lock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const { packages } = lock as {
      packages: Record<string, { integrity?: string; optional?: boolean; link?: boolean }>
    }
    const unhashed = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path !== '' && !link && integrity === undefined,
    )
    const ofOtherSystems =
      /(?:android|darwin|mac|freebsd|openharmony|win|win32|linux|wasm32)-(?:arm|x64|ia32|ppc64|riscv64|s390x|wasi)/
    const odd = unhashed.filter(([path, { optional }]) => !optional || !ofOtherSystems.test(path))
    expect(odd.map(([path]) => path)).toEqual([])
    // Packages installed on this machine always have one.
    const here = unhashed.filter(([path]) => existsSync(join(root, path)))
    expect(here.map(([path]) => path)).toEqual([])
  })
})
