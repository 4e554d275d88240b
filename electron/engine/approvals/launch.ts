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
 * the first 16 hex digits of the SHA-512 of the package specifiers, sorted, one a line.
 */
export function resolvedPackage(
  settings: ServerSettings,
  npmCache: string,
  readText: (path: string) => string | undefined,
): ResolvedPackage | undefined {
  const specifiers = npxSpecifiers(settings)
  const [first] = specifiers
  if (first === undefined) return undefined
  const sorted = specifiers.toSorted((a, b) => a.localeCompare(b, 'en')).join('\n')
  const folder = createHash('sha512').update(sorted).digest('hex').slice(0, 16)
  const text = readText(`${npmCache}/_npx/${folder}/package-lock.json`)
  if (text === undefined) return undefined
  try {
    const lock: unknown = JSON.parse(text)
    const packages = isJsonObject(lock) ? lock['packages'] : undefined
    if (!isJsonObject(packages)) return undefined
    const name = nameIn(first)
    const entry = packages[`node_modules/${name}`]
    if (!isJsonObject(entry) || typeof entry['version'] !== 'string') return undefined
    const { version, integrity } = entry
    return { name, version, ...(typeof integrity === 'string' ? { integrity } : {}) }
  } catch {
    return undefined
  }
}

/** `@scope/name@1.2` → `@scope/name`. */
const nameIn = (specifier: string): string => specifier.replace(/(?<=.)@[^@/]*$/, '')

/** Options of npx whose value is the next argument. */
const TAKES_VALUE = new Set([
  '--cache',
  '--registry',
  '--userconfig',
  '--prefix',
  '--script-shell',
  '-w',
  '--workspace',
])

/** The packages that `npx …` was asked for, the one that is run first; none for anything else. */
function npxSpecifiers({ command, args = [] }: ServerSettings): string[] {
  if (!/(?:^|[\\/])npx(?:\.cmd)?$/.test(command ?? '')) return []
  const named: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '-p' || arg === '--package') named.push(args[++index] ?? '')
    else if (arg.startsWith('--package=')) named.push(arg.slice('--package='.length))
    else if (TAKES_VALUE.has(arg)) index++
    else if (arg === '--') return named.length > 0 ? named : args.slice(index + 1, index + 2)
    else if (!arg.startsWith('-')) return named.length > 0 ? named : [arg]
  }
  return named
}
