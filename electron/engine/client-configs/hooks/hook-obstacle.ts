import { posix, win32 } from 'node:path'
import type { Machine } from '../../ground/surroundings.ts'
import { isJsonObject } from '../../protocol/json-rpc.ts'
import type { ClientFiles } from '../client-files.ts'
import { loadClientFile } from '../load-client-file.ts'
import type { HookSpec } from './hook-spec.ts'

interface Place {
  readonly machine: Machine
  readonly files: ClientFiles
  /** Where the engine listens, or will. */
  readonly port: number
}

/** Why the app doesn't run the hooks that are in its file, or calls another address; for the user. */
export function hookObstacle(spec: HookSpec, { machine, files, port }: Place): string | undefined {
  const path = spec.file(machine)
  const inFile = readFile(path, files)
  const called = portOf(inFile)
  if (called !== undefined && called !== port)
    return `${spec.label}'s hooks call port ${called}, and Sluice listens at ${port === 0 ? 'any free one' : port}. Give "http.port" in config.json the port that stays, then: sluice wrap ${spec.id} --built-in.`
  const switchedOff = SWITCHES[spec.id]?.(inFile)
  if (switchedOff !== undefined) return `${spec.label} runs no hooks: ${switchedOff} in ${path}.`
  if (spec.id !== 'claude-code') return undefined
  const managed = managedFile(machine)
  const rules = readFile(managed, files)
  const rule = ['disableAllHooks', 'allowManagedHooksOnly'].find((name) => valueAt(rules, name) === true)
  return rule === undefined
    ? undefined
    : `${spec.label} runs no hooks of its user: ${rule} is true in ${managed}, which your administrator keeps.`
}

const SWITCHES: Readonly<Record<string, (settings: unknown) => string | undefined>> = {
  'claude-code': (settings) =>
    valueAt(settings, 'disableAllHooks') === true ? 'disableAllHooks is true' : undefined,
  'gemini-cli': (settings) => {
    if (valueAt(settings, 'hooksConfig', 'enabled') === false) return 'hooksConfig.enabled is false'
    const disabled = valueAt(settings, 'hooksConfig', 'disabled')
    return Array.isArray(disabled) && disabled.includes('sluice')
      ? 'hooksConfig.disabled names sluice'
      : undefined
  },
}

/** https://code.claude.com/docs/en/settings */
function managedFile({ platform, env }: Machine): string {
  if (platform === 'win32')
    return win32.join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode', 'managed-settings.json')
  const folder = platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code'
  return posix.join(folder, 'managed-settings.json')
}

const OWN_PORT = /^http:\/\/127\.0\.0\.1:(\d+)\/hook\//

/** Of the first address of Sluice's. */
function portOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const port = OWN_PORT.exec(value)?.[1]
    return port === undefined ? undefined : Number(port)
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const one of Object.values(value)) {
    const port = portOf(one)
    if (port !== undefined) return port
  }
  return undefined
}

const valueAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value)

/** Undefined where it isn't there or can't be read. */
function readFile(path: string, files: ClientFiles): unknown {
  try {
    return files.facts(path) ? loadClientFile(path, files).parsed.value : undefined
  } catch {
    return undefined
  }
}
