import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isJsonObject } from '../../protocol/json-rpc.ts'
import type { FindInstalls, Install, PackageFiles } from './installs.ts'

/** `Some.Server[extra]==1.2` → `some-server`, as Python's package index compares names. */
const nameIn = (specifier: string): string =>
  (/^[A-Za-z0-9._-]+/.exec(specifier)?.[0] ?? specifier).replaceAll(/[-_.]+/g, '-').toLowerCase()
const exactIn = (specifier: string): string | undefined => /(?:==|@)\s*(\d[\w.+!-]*)\s*$/.exec(specifier)?.[1]

/** Environments are named by interpreter and contents, so all with the package are checked. */
export const uvInstalls: FindInstalls = (specifiers, machine) => {
  const { env, homeDir } = machine
  const local = env['LOCALAPPDATA'] ?? join(homeDir, 'AppData/Local')
  const isWindows = machine.platform === 'win32'
  const cache =
    env['UV_CACHE_DIR'] ??
    (isWindows ? join(local, 'uv/cache') : join(env['XDG_CACHE_HOME'] ?? join(homeDir, '.cache'), 'uv'))
  const tools =
    env['UV_TOOL_DIR'] ??
    (isWindows
      ? join(env['APPDATA'] ?? join(homeDir, 'AppData/Roaming'), 'uv/tools')
      : join(env['XDG_DATA_HOME'] ?? join(homeDir, '.local/share'), 'uv/tools'))
  const environments = [...cachedEnvironments(cache, machine)]
  return specifiers.map((specifier) => {
    const name = nameIn(specifier)
    const exact = exactIn(specifier)
    const installs = [...environments, join(tools, name)]
      .flatMap((environment) => installsIn(environment, name, machine))
      .filter(({ version }) => exact === undefined || version === exact)
    return { name, installs }
  })
}

function* cachedEnvironments(cache: string, machine: PackageFiles): Iterable<string> {
  const buckets = machine.names(cache).filter((name) => name.startsWith('environments-v'))
  for (const bucket of buckets) {
    for (const interpreter of machine.names(join(cache, bucket))) {
      for (const environment of machine.names(join(cache, bucket, interpreter))) {
        const path = join(cache, bucket, interpreter, environment)
        // Without links a file contains the path.
        const link = machine.text(path)?.trim()
        yield link === undefined ? path : join(cache, link)
      }
    }
  }
}

/** pipx records each environment's purpose in it. */
export const pipxInstalls: FindInstalls = (specifiers, machine) => {
  const { env, homeDir } = machine
  const homes =
    env['PIPX_HOME'] === undefined
      ? [join(homeDir, '.local/share/pipx'), join(homeDir, '.local/pipx'), join(homeDir, 'pipx')]
      : [env['PIPX_HOME']]
  const folders = [...homes.map((home) => join(home, '.cache')), join(homeDir, '.cache/pipx')]
  const environments = folders.flatMap((folder) => machine.names(folder).map((name) => join(folder, name)))
  const [main = ''] = specifiers
  const made = environments.filter((environment) => madeFor(environment, machine) === main)
  return specifiers.map((specifier) => {
    const name = nameIn(specifier)
    return { name, installs: made.flatMap((environment) => installsIn(environment, name, machine)) }
  })
}

function madeFor(environment: string, machine: PackageFiles): unknown {
  try {
    const metadata: unknown = JSON.parse(machine.text(join(environment, 'pipx_metadata.json')) ?? 'null')
    const main = isJsonObject(metadata) ? metadata['main_package'] : undefined
    return isJsonObject(main) ? main['package_or_url'] : undefined
  } catch {
    return undefined
  }
}

function installsIn(environment: string, name: string, machine: PackageFiles): Install[] {
  const libraries = [
    join(environment, 'Lib/site-packages'),
    ...machine
      .names(join(environment, 'lib'))
      .filter((each) => each.startsWith('python'))
      .map((each) => join(environment, 'lib', each, 'site-packages')),
  ]
  return libraries.flatMap((library) =>
    machine.names(library).flatMap((folder): Install[] => {
      const [, distribution, version] = /^(.+?)-(\d.*)\.dist-info$/.exec(folder) ?? []
      if (distribution === undefined || version === undefined || nameIn(distribution) !== name) return []
      const record = machine.text(join(library, folder, 'RECORD'))
      return [{ version, ...(record === undefined ? {} : { integrity: recordHash(record) }) }]
    }),
  )
}

/** Installation-specific files: scripts with paths, caches, receipts. */
const ADDED =
  /^\.\.|^\/|\.pyc,|\.dist-info\/(?:INSTALLER|REQUESTED|RECORD|direct_url\.json|uv_cache\.json|uv_build\.json),/

function recordHash(record: string): string {
  const own = record.split(/\r?\n/).filter((line) => line !== '' && !ADDED.test(line))
  return `sha256-${createHash('sha256').update(own.sort().join('\n')).digest('base64')}`
}
