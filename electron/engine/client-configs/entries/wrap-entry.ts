import { variableFor } from '../../ground/secrets/moved-values.ts'
import { isJsonObject } from '../../protocol/json-rpc.ts'
import type { EntryStyle } from '../client-spec.ts'
import type { ContainerEdit, Pair } from '../formats/config-format.ts'
import type { ConfigPath } from '../formats/config-node.ts'
import type { PlaceholderRule } from './placeholders.ts'
import type { Launch, ReadEntry } from './read-entry.ts'
import { translateLaunch } from './translate-launch.ts'

export interface MovedLaunch {
  /** For config.json; the app's values become `${env:NAME}`. */
  readonly launch: Launch
  /** Stay in the app's entry, because the app resolves their values. */
  readonly keptEnv: readonly string[]
  /** Added to the app's entry, to pass on values that only the app can resolve. */
  readonly addedEnv: Readonly<Record<string, string>>
}

/** Splits a launch into config.json's part and what must stay in the app's file. */
export function moveLaunch({ launch, unset }: ReadEntry, rules: readonly PlaceholderRule[]): MovedLaunch {
  const addedEnv: Record<string, string> = {}
  const keptEnv = [...unset]
  const moved = translateLaunch(launch, rules, (text, field, name) => {
    if (field === 'env') {
      keptEnv.push(name)
      return undefined
    }
    const variable = variableFor(field, name)
    addedEnv[variable] = text
    return `\${env:${variable}}`
  })
  return { launch: moved, keptEnv, addedEnv }
}

export interface WrappedEntryOptions {
  readonly entry: Readonly<Record<string, unknown>>
  readonly path: ConfigPath
  readonly read: ReadEntry
  readonly moved: MovedLaunch
  readonly style: EntryStyle
  readonly command: string
  readonly args: readonly string[]
  readonly launcherEnv: Readonly<Record<string, string>>
}

/** What starts a program, in the app's form. */
export const startPairs = (
  style: EntryStyle,
  command: string | undefined,
  args: readonly string[],
): readonly Pair[] =>
  style.commandIsList
    ? [[style.command, [command, ...args]]]
    : [
        [style.command, command],
        ['args', args],
      ]

/** Makes an entry start Sluice; unrelated fields stay. */
export function wrapEntry(options: WrappedEntryOptions): ContainerEdit[] {
  const { entry, path, read, moved, style, command, args, launcherEnv } = options
  const start = startPairs(style, command, args)
  const anchor = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri'].find((key) =>
    read.fields.includes(key),
  )
  const newEnv: Record<string, unknown> = { ...moved.addedEnv, ...launcherEnv }
  const envKey = read.fields.find((key) => key === 'env' || key === 'envs' || key === 'environment')
  const written = envKey === undefined ? undefined : entry[envKey]
  const kept = isJsonObject(written)
    ? Object.keys(written).filter((name) => moved.keptEnv.includes(name))
    : []
  const hasEnv = kept.length > 0 || Object.keys(newEnv).length > 0

  const replace = new Map<string, readonly Pair[]>(read.fields.map((key) => [key, []]))
  const hasArgs = !style.commandIsList && read.fields.includes('args')
  replace.set(anchor ?? '', [
    ...(hasArgs ? start.slice(0, 1) : start),
    ...(needsType(options) ? ([['type', style.localType]] as const) : []),
    ...(hasEnv && envKey === undefined ? ([[style.env, newEnv]] as const) : []),
  ])
  if (hasArgs) replace.set('args', start.slice(1))
  for (const key of ['type', 'transport', 'transportType']) {
    const type = entry[key]
    if (typeof type === 'string' && type !== style.localType) replace.set(key, [[key, style.localType]])
  }
  // Codex passes only named variables on.
  if (read.headerVariables.length > 0) {
    const named: unknown = entry['env_vars']
    const all = [...(Array.isArray(named) ? (named as unknown[]) : []), ...read.headerVariables]
    const pair: Pair = ['env_vars', [...new Set(all)]]
    if (named === undefined) replace.set(anchor ?? '', [...(replace.get(anchor ?? '') ?? []), pair])
    else replace.set('env_vars', [pair])
  }
  if (envKey === undefined || !hasEnv) return [{ path, replace }]
  if (!isJsonObject(written) || Object.keys(written).length === 0) {
    replace.set(envKey, [[envKey, newEnv]])
    return [{ path, replace }]
  }
  // Remaining variables keep their lines and comments.
  replace.delete(envKey)
  const gone = Object.keys(written).filter((name) => !kept.includes(name))
  const added = Object.entries(newEnv).filter(([name]) => !kept.includes(name))
  const envEdit = { path: [...path, envKey], replace: new Map(gone.map((name) => [name, []])), append: added }
  return [{ path, replace }, envEdit]
}

const needsType = ({ entry, style }: WrappedEntryOptions): boolean =>
  style.needsType === true && entry['type'] === undefined
