import { realpathSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { Launcher, NoLauncher } from '../client-configs/entries/sluice-entry.ts'
import type { Machine } from '../ground/surroundings.ts'

export interface TerminalPlace extends Machine {
  readonly realPath?: (path: string) => string | undefined
}

/** Needs no quotes in sh, PowerShell and cmd. */
const PLAIN = /^[\w@%+=:,./\\-]+$/

/** Sluice may not be on PATH. Undefined if no line works in all terminals. */
export function typedCommand(
  launcher: Launcher | NoLauncher | undefined,
  words: readonly string[],
  place: TerminalPlace,
): string | undefined {
  if (!launcher || !('command' in launcher)) return ['sluice', ...words].join(' ')
  const { platform, realPath = realPathOf } = place
  const { command, args, env = {} } = launcher
  const [program = '', ...more] = args
  const isReal = (path: string, wanted: string): boolean => {
    const real = realPath(path)
    return real !== undefined && real === realPath(wanted)
  }
  const onPath = foldersOfPath(place)
  const typed = (text: string): string => quoted(text, place)
  const names = Object.entries(env)
  if (names.length === 0 && onPath.some((folder) => isReal(join(place, folder, 'sluice'), program)))
    return ['sluice', ...more.map(typed), ...words].join(' ')
  if (platform !== 'win32') {
    const node = onPath
      .map((folder) => join(place, folder, 'node'))
      .find((path) => realPath(path) !== undefined)
    const start = node !== undefined && isReal(node, command) ? 'node' : typed(command)
    const variables = names.map(([name, value]) => `${name}=${typed(value)}`)
    return [...variables, start, ...args.map(typed), ...words].join(' ')
  }
  // PowerShell and cmd differ on variables and quoted programs.
  const found = onPath.some((folder) => isReal(join(place, folder, 'node.exe'), command))
  const start = found ? 'node' : PLAIN.test(command) ? command : undefined
  return start === undefined || names.length > 0 ? undefined : [start, ...args.map(typed), ...words].join(' ')
}

const join = ({ platform }: TerminalPlace, folder: string, name: string): string =>
  platform === 'win32' ? win32.join(folder, name) : posix.join(folder, name)

function foldersOfPath({ platform, env }: TerminalPlace): string[] {
  const path = Object.entries(env).find(([name]) =>
    platform === 'win32' ? name.toUpperCase() === 'PATH' : name === 'PATH',
  )?.[1]
  return (path ?? '').split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '')
}

function quoted(text: string, { platform, homeDir }: TerminalPlace): string {
  if (platform === 'win32') return PLAIN.test(text) ? text : `"${text}"`
  // Hides the user's name.
  if (text.startsWith(`${homeDir}/`)) return `~/${quotedForSh(text.slice(homeDir.length + 1))}`
  return quotedForSh(text)
}

const quotedForSh = (text: string): string =>
  text !== '' && PLAIN.test(text) && !text.includes('\\') ? text : `'${text.replaceAll("'", "'\\''")}'`

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
