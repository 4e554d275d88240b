import { RESERVED_SERVER_ID } from '../../../../shared/server-id.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { EntryStyle } from '../client-spec.ts'
import type { Launch } from './read-entry.ts'

/** Before "connect". */
export interface Launcher {
  readonly command: string
  readonly args: readonly string[]
  /** Makes Electron plain Node. */
  readonly env?: Readonly<Record<string, string>>
}

export interface NoLauncher {
  readonly unavailable: string
}

/** For reading. */
const NOTHING: Launcher = { command: '', args: [] }

export const launcherOrNone = (given: Launcher | NoLauncher | undefined): Launcher =>
  given && 'command' in given ? given : NOTHING

/** Throws BAD_INPUT with the reason. */
export function requireLauncher(given: Launcher | NoLauncher): Launcher {
  if ('command' in given) return given
  throw new SluiceError('BAD_INPUT', given.unavailable)
}

/** For all servers. */
const connectAllArgs = (launcher: Launcher, client: string): readonly string[] => [
  ...launcher.args,
  'connect',
  '--client',
  client,
]

export const connectArgs = (launcher: Launcher, client: string, serverId: string): readonly string[] => [
  ...connectAllArgs(launcher, client),
  '--server',
  serverId,
]

/** Sluice's own tools or all servers. */
export function sluiceEntry(
  launcher: Launcher,
  { id, style }: { readonly id: string; readonly style: EntryStyle },
  name: string,
  scope: 'tools' | 'all' = 'tools',
): JsonObject {
  const args = scope === 'all' ? connectAllArgs(launcher, id) : connectArgs(launcher, id, RESERVED_SERVER_ID)
  return {
    ...style.newEntry?.(name),
    ...(style.needsType ? { type: style.localType } : {}),
    ...(style.commandIsList
      ? { command: [launcher.command, ...args] }
      : { [style.command]: launcher.command, args }),
    ...(launcher.env ? { [style.env]: launcher.env } : {}),
  }
}

export type SluiceRole = { readonly role: 'wrapped'; readonly serverId: string } | { readonly role: 'self' }

export interface OwnAddresses {
  readonly launcher: Launcher
  /** Loopback port of `/mcp`. */
  readonly httpPort: number
}

const PROGRAM = /(?:^|[\\/])sluice(?:-[\d.]+[\w.-]*)?(?:\.(?:exe|cmd|bat|ps1|js|appimage))?$/i
const SCRIPT = /(?:^|[\\/])electron[\\/]cli\.[jt]s$/
const SHELL_LINE = /(?:^|[\s"'\\/])(?:sluice(?:\.\w+)?|electron[\\/]cli\.[jt]s)["']?\s+connect\b/i

export function sluiceRole(launch: Launch, own: OwnAddresses): SluiceRole | undefined {
  const words = [launch.command ?? '', ...(launch.args ?? [])]
  if ([launch.url ?? '', ...words].some((word) => isOwnUrl(word, own.httpPort))) return { role: 'self' }
  const line = words.find((word) => SHELL_LINE.test(word))
  if (line !== undefined) return roleOf(line.split(/[\s"']+/))
  const program = words.findIndex((word) => PROGRAM.test(word) || SCRIPT.test(word))
  const prefix = [own.launcher.command, ...own.launcher.args]
  const isOwn = own.launcher !== NOTHING && prefix.every((word, index) => words[index] === word)
  const start = isOwn ? prefix.length - 1 : program
  const connect = start === -1 ? -1 : words.indexOf('connect', start + 1)
  return connect === -1 ? undefined : roleOf(words.slice(connect))
}

export const connectsFrom = (words: readonly string[]): number => Math.max(0, words.indexOf('connect', 1))

function roleOf(words: readonly string[]): SluiceRole {
  const index = words.findIndex((word) => /^--server(?:=|$)/.test(word))
  const word = words[index] ?? ''
  const serverId = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? '')
  if (index === -1 || serverId === '' || serverId === RESERVED_SERVER_ID) return { role: 'self' }
  return { role: 'wrapped', serverId }
}

function isOwnUrl(word: string, port: number): boolean {
  if (!/^https?:/i.test(word) || !URL.canParse(word)) return false
  const url = new URL(word)
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(url.hostname)
  return isLoopback && url.port === String(port) && /^\/(?:mcp|sse)(?:\/|$)/.test(url.pathname)
}
