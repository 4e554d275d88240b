import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parse as parseJsonc } from 'jsonc-parser'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { parsePnpmLock } from './parse-pnpm-lock.ts'
import type { FindInstalls, Install, PackageFiles } from './installs.ts'

/** `@scope/name@1.2` → `@scope/name`. */
const nameIn = (specifier: string): string => specifier.replace(/(?<=.)@[^@/]*$/, '')
const tagIn = (specifier: string): string => specifier.slice(nameIn(specifier).length + 1)
const isExact = (tag: string): boolean => /^\d+\.\d+\.\d+/.test(tag)

/**
 * A cache folder per set of specifiers, named as by libnpmexec: first 16 hex digits of the SHA-512 of the sorted
 * specifiers, one per line.
 */
export const npmInstalls: FindInstalls = (specifiers, machine) => {
  const { env, homeDir, platform } = machine
  const cache =
    env['npm_config_cache'] ??
    env['NPM_CONFIG_CACHE'] ??
    join(homeDir, platform === 'win32' ? 'AppData/Local/npm-cache' : '.npm')
  const sorted = specifiers.toSorted((a, b) => a.localeCompare(b, 'en')).join('\n')
  const folder = createHash('sha512').update(sorted).digest('hex').slice(0, 16)
  const lock = parsed(machine.text(join(cache, '_npx', folder, 'package-lock.json')), JSON.parse)
  return specifiers.map((specifier) => {
    const name = nameIn(specifier)
    const entry = objectAt(objectAt(lock, 'packages'), `node_modules/${name}`)
    return { name, installs: installOf(entry?.['version'], entry?.['integrity']) }
  })
}

/** Folders are named by a hash of all settings, so all for these packages are checked. */
export const pnpmInstalls: FindInstalls = (specifiers, machine) => {
  const names = specifiers.map(nameIn)
  const dlx = join(pnpmCache(machine), 'dlx')
  const folders = machine
    .names(dlx)
    .map((name) => join(dlx, name, 'pkg'))
    .filter((folder) => {
      const manifest = parsed(machine.text(join(folder, 'package.json')), JSON.parse)
      const wanted = Object.keys(objectAt(manifest, 'dependencies') ?? {})
      return wanted.length === names.length && names.every((name) => wanted.includes(name))
    })
  return specifiers.map((specifier) => {
    const name = nameIn(specifier)
    const installs = folders.flatMap((folder) => {
      const version = versionIn(folder, name, machine)
      const lock = parsed(machine.text(join(folder, 'pnpm-lock.yaml')), parsePnpmLock)
      const entry = objectAt(objectAt(lock, 'packages'), `${name}@${String(version)}`)
      return installOf(version, objectAt(entry, 'resolution')?.['integrity'])
    })
    const tag = tagIn(specifier)
    return { name, installs: installs.filter(({ version }) => !isExact(tag) || version === tag) }
  })
}

/** A folder per package and tag, in the cache or formerly in temporary files. */
export const bunInstalls: FindInstalls = (specifiers, machine) => {
  const { env, homeDir, tempDir } = machine
  const cache = join(env['BUN_INSTALL'] ?? join(homeDir, '.bun'), 'install/cache')
  const caches = machine.names(cache).filter((name) => name.startsWith('.bunx-'))
  const old = machine.names(tempDir).filter((name) => name.startsWith('bunx-'))
  return specifiers.map((specifier) => {
    const name = nameIn(specifier)
    const own = `${name}@${tagIn(specifier) || 'latest'}`
    const folders = [
      ...caches.map((each) => join(cache, each, own)),
      ...old
        .filter((each) => each.replace(/^bunx-\d+-/, '') === own.split('/')[0])
        .map((each) => {
          const rest = own.split('/').slice(1)
          return join(tempDir, each, ...rest)
        }),
    ]
    const installs = folders.flatMap((folder) => {
      const lock = parsed(machine.text(join(folder, 'bun.lock')), (text) => parseJsonc(text))
      const entry = objectAt(lock, 'packages')?.[name]
      return installOf(versionIn(folder, name, machine), Array.isArray(entry) ? entry.at(-1) : undefined)
    })
    return { name, installs }
  })
}

function pnpmCache({ env, homeDir, platform }: PackageFiles): string {
  if (env['npm_config_cache_dir'] !== undefined) return env['npm_config_cache_dir']
  if (env['XDG_CACHE_HOME'] !== undefined) return join(env['XDG_CACHE_HOME'], 'pnpm')
  if (platform === 'darwin') return join(homeDir, 'Library/Caches/pnpm')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homeDir, 'AppData/Local'), 'pnpm-cache')
  return join(homeDir, '.cache/pnpm')
}

const versionIn = (folder: string, name: string, machine: PackageFiles): unknown =>
  parsed(machine.text(join(folder, 'node_modules', name, 'package.json')), JSON.parse)?.['version']

const installOf = (version: unknown, integrity: unknown): Install[] =>
  typeof version === 'string'
    ? [{ version, ...(typeof integrity === 'string' && integrity.startsWith('sha') ? { integrity } : {}) }]
    : []

function parsed(text: string | undefined, parse: (text: string) => unknown): JsonObject | undefined {
  try {
    const value = text === undefined ? undefined : parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key]
  return isJsonObject(found) ? found : undefined
}
