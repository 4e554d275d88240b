import { createHash } from 'node:crypto'
import type { ServerSettings } from '../../../shared/settings.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { canonicalDefinition } from './definition-hash.ts'

/**
 * How a server is started or reached, without the values of secrets: names of environment variables and headers only.
 * This, not the name in config.json, is who the server is.
 */
export function launchOf(settings: ServerSettings): JsonObject {
  if (settings.command !== undefined) {
    return {
      command: settings.command,
      args: settings.args ?? [],
      env: Object.keys(settings.env ?? {}).sort(),
      ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
    }
  }
  return { url: settings.url ?? '', headers: Object.keys(settings.headers ?? {}).sort() }
}

export const identityOf = (settings: ServerSettings): string => canonicalDefinition(launchOf(settings)).hash

/** The package that `npx` resolved for this launch, as its cache's lock file has it; undefined where that can't be read. */
export interface ResolvedPackage {
  readonly name: string
  readonly version: string
  readonly integrity?: string
}

/**
 * Reads which version of its package an `npx` server runs. The cache folder's name is derived as npm's libnpmexec does:
 * the first 16 hex digits of the SHA-512 of the package specifiers.
 */
export function resolvedPackage(
  settings: ServerSettings,
  npmCache: string,
  readText: (path: string) => string | undefined,
): ResolvedPackage | undefined {
  const spec = npxSpecifier(settings)
  if (spec === undefined) return undefined
  const folder = createHash('sha512').update(spec).digest('hex').slice(0, 16)
  const text = readText(`${npmCache}/_npx/${folder}/package-lock.json`)
  if (text === undefined) return undefined
  try {
    const lock: unknown = JSON.parse(text)
    const packages = isJsonObject(lock) ? lock['packages'] : undefined
    if (!isJsonObject(packages)) return undefined
    const name = spec.replace(/(?<=.)@[^@/]*$/, '')
    const entry = packages[`node_modules/${name}`]
    if (!isJsonObject(entry) || typeof entry['version'] !== 'string') return undefined
    const { version, integrity } = entry
    return { name, version, ...(typeof integrity === 'string' ? { integrity } : {}) }
  } catch {
    return undefined
  }
}

/** The package that `npx …` was asked for; undefined for anything else. */
function npxSpecifier({ command, args = [] }: ServerSettings): string | undefined {
  if (!/(?:^|[\\/])npx(?:\.cmd)?$/.test(command ?? '')) return undefined
  for (const [index, arg] of args.entries()) {
    if (arg === '-p' || arg === '--package') return args[index + 1]
    if (arg.startsWith('--package=')) return arg.slice('--package='.length)
    if (!arg.startsWith('-')) return arg
  }
  return undefined
}
