import type { ServerSettings } from '../../../../shared/settings.ts'
import { bunInstalls, npmInstalls, pnpmInstalls } from './node-installs.ts'
import { pipxInstalls, uvInstalls } from './python-installs.ts'
import { requestedPackages, type Launcher } from './requested-packages.ts'

/** One installed version, with a hash of its content where what installed it wrote one down. */
export interface Install {
  readonly version: string
  readonly integrity?: string
}

/** A package that a launch asks for, and what of it is installed for that launch. */
export type ResolvedPackage =
  | ({ readonly name: string } & Install)
  /** Each of these may be the one that is run: nothing on disk says which. */
  | { readonly name: string; readonly version: typeof SEVERAL; readonly oneOf: readonly Install[] }
  | { readonly name: string; readonly version: typeof UNKNOWN }

const UNKNOWN = 'not known: nothing on this machine says it'
const SEVERAL = 'one of several'

/** Where package managers keep things, and how to look there. Nothing is asked of a network. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly homeDir: string
  readonly tempDir: string
  /** Undefined for what can't be read. */
  text(path: string): string | undefined
  /** Names in a folder, sorted; empty for what is none. */
  names(folder: string): readonly string[]
}

/** What is installed for each of these specifiers, in their order. */
export type FindInstalls = (
  specifiers: readonly string[],
  machine: Machine,
) => { readonly name: string; readonly installs: readonly Install[] }[]

const finders: Readonly<Record<Launcher, FindInstalls>> = {
  npm: npmInstalls,
  pnpm: pnpmInstalls,
  bun: bunInstalls,
  uv: uvInstalls,
  pipx: pipxInstalls,
}

/** Which packages, in which versions, a launch through `npx`, `uvx` and their like runs; none for other programs. */
export function resolvePackages(settings: ServerSettings, machine: Machine): ResolvedPackage[] {
  const requested = requestedPackages(settings)
  if (!requested) return []
  const found = finders[requested.launcher](requested.specifiers, machine)
  return found.map(({ name, installs }) => {
    const different = new Map(installs.map((each) => [`${each.version} ${each.integrity ?? ''}`, each]))
    const [only, ...others] = [...different.keys()].sort().flatMap((key) => different.get(key) ?? [])
    if (!only) return { name, version: UNKNOWN }
    return others.length === 0 ? { name, ...only } : { name, version: SEVERAL, oneOf: [only, ...others] }
  })
}
