import type { Machine } from '../../ground/surroundings.ts'
import { builtInTools } from '../../settings/built-in-policy.ts'
import type { ClientFiles } from '../client-files.ts'
import { loadClientFile } from '../load-client-file.ts'
import { isOwnHook } from './hook-command.ts'
import { hookObstacle } from './hook-obstacle.ts'
import { hookSpecOf, hookSpecs } from './hook-specs.ts'

export interface HookState {
  readonly path: string
  /** Sluice's hooks are in the file. */
  readonly isOn: boolean
  /** Empty where hooks bring the user's request only. */
  readonly tools: readonly string[]
  /** Why hooks that are in the file don't work. */
  readonly obstacle?: string
}

/** Undefined for apps whose hooks Sluice doesn't write. `port`: where the engine listens. */
export function hookStateOf(
  app: string,
  place: { readonly machine: Machine; readonly files: ClientFiles; readonly port: number },
): HookState | undefined {
  const spec = hookSpecOf(app)
  if (!spec) return undefined
  const path = spec.file(place.machine)
  const isOn = hasOwnHooks(path, spec.kind, place.files)
  const obstacle = isOn ? hookObstacle(spec, place) : undefined
  return { path, isOn, tools: builtInTools(app), ...(obstacle === undefined ? {} : { obstacle }) }
}

/** Of all apps that have Sluice's hooks. */
export const hookObstacles = (place: Parameters<typeof hookStateOf>[1]): string[] =>
  hookSpecs.flatMap(({ id }) => hookStateOf(id, place)?.obstacle ?? [])

/** Of any app. */
export const hasHooks = (machine: Machine, files: ClientFiles): boolean =>
  hookSpecs.some((spec) => hasOwnHooks(spec.file(machine), spec.kind, files))

function hasOwnHooks(path: string, kind: 'shared' | 'own', files: ClientFiles): boolean {
  try {
    if (!files.facts(path)) return false
    return kind === 'own' || isOwnHook(loadClientFile(path, files).parsed.value)
  } catch {
    // Unreadable: wrapping it says why.
    return false
  }
}
