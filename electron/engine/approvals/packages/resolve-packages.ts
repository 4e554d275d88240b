import type { ServerSettings } from '../../../../shared/settings.ts'
import { bunInstalls, npmInstalls, pnpmInstalls } from './node-installs.ts'
import { pipxInstalls, uvInstalls } from './python-installs.ts'
import { requestedPackages, type Launcher } from './requested-packages.ts'
import type { FindInstalls, Install, PackageFiles } from './installs.ts'

export type ResolvedPackage =
  | ({ readonly name: string } & Install)
  /** The disk doesn't tell which one runs. */
  | { readonly name: string; readonly version: typeof SEVERAL; readonly oneOf: readonly Install[] }
  | { readonly name: string; readonly version: typeof UNKNOWN }

const UNKNOWN = 'not known: nothing on this machine says it'
const SEVERAL = 'one of several'

const finders: Readonly<Record<Launcher, FindInstalls>> = {
  npm: npmInstalls,
  pnpm: pnpmInstalls,
  bun: bunInstalls,
  uv: uvInstalls,
  pipx: pipxInstalls,
}

export function resolvePackages(settings: ServerSettings, machine: PackageFiles): ResolvedPackage[] {
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
