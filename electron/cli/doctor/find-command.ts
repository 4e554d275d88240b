import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

export interface FindCommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Of the program. */
  readonly cwd: string
}

export function findCommand(command: string, { env, platform, cwd }: FindCommandOptions): string | undefined {
  const path = platform === 'win32' ? win32 : posix
  const suffixes = platform === 'win32' ? windowsSuffixes(command, env) : ['']
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'))
  const folders = isPath ? [''] : (variable(env, 'PATH', platform) ?? '').split(path.delimiter)
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const candidate = path.resolve(cwd, folder, command + suffix)
      if (isProgram(candidate)) return candidate
    }
  }
  return undefined
}

function windowsSuffixes(command: string, env: FindCommandOptions['env']): string[] {
  const all = (variable(env, 'PATHEXT', 'win32') ?? '.COM;.EXE;.BAT;.CMD').split(';')
  return all.some((suffix) => command.toUpperCase().endsWith(suffix.toUpperCase())) ? ['', ...all] : all
}

/** Windows spells it "Path" or "PATH". */
function variable(
  env: FindCommandOptions['env'],
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name]
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
