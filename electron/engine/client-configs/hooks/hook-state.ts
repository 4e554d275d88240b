import type { Machine } from '../../ground/surroundings.ts'
import { builtInTools } from '../../settings/built-in-policy.ts'
import type { ClientFiles } from '../client-files.ts'
import { loadClientFile } from '../load-client-file.ts'
import { isOwnHook } from './hook-command.ts'
import { hookSpecOf, hookSpecs } from './hook-specs.ts'

export interface HookState {
  readonly path: string
  /** Sluice's hooks are in the file. */
  readonly isOn: boolean
  /** Empty where hooks bring the user's request only. */
  readonly tools: readonly string[]
}

/** Undefined for apps whose hooks Sluice doesn't write. */
export function hookStateOf(app: string, machine: Machine, files: ClientFiles): HookState | undefined {
  const spec = hookSpecOf(app)
  if (!spec) return undefined
  const path = spec.file(machine)
  return { path, isOn: hasOwnHooks(path, spec.kind, files), tools: builtInTools(app) }
}

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
