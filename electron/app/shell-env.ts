import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { messageOf } from '../engine/ground/errors.ts'
import type { Logger } from '../engine/ground/logger.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ShellEnvOptions {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  readonly execPath: string
  readonly logger: Logger
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 5_000
/** Accept `-i -l -c` and POSIX single quotes. */
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish'])
const OURS = ['ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'SHLVL', '_', 'PWD', 'OLDPWD']

/** Apps started by the desktop get a bare PATH that often lacks `npx` and `uvx`. Returns `env` on any failure. */
export async function readShellEnv(options: ShellEnvOptions): Promise<Environment> {
  const { env, platform, logger } = options
  // A terminal has already provided that environment.
  if (platform === 'win32' || env['TERM'] !== undefined) return env
  const shell = env['SHELL'] ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/sh')
  if (!SHELLS.has(basename(shell))) {
    logger.info(`The environment of ${shell} is not read: Sluice doesn't support this shell.`)
    return env
  }
  try {
    return { ...env, ...(await askShell(shell, options)) }
  } catch (error) {
    logger.warn(
      `The environment of your shell (${shell}) could not be read, so servers may not find programs such as npx.`,
      { cause: messageOf(error) },
    )
    return env
  }
}

async function askShell(shell: string, { env, execPath, timeoutMs }: ShellEnvOptions): Promise<Environment> {
  // Start-up files may print before and after.
  const mark = `sluice-${process.pid}-${Math.random().toString(36).slice(2)}`
  const script = `process.stdout.write("${mark}"+JSON.stringify(process.env)+"${mark}")`
  const command = `${quote(execPath)} -e ${quote(script)}`
  const child = spawn(shell, ['-i', '-l', '-c', command], {
    env: { ...env, ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ATTACH_CONSOLE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // An interactive shell with a terminal stops itself in the background.
    detached: true,
  })
  const timer = setTimeout(() => killGroup(child.pid), timeoutMs ?? TIMEOUT_MS)
  try {
    const failed = new Promise<never>((_resolve, reject) => child.once('error', reject))
    const output = await Promise.race([text(child.stdout), failed])
    const [, json] = output.split(mark)
    if (json === undefined) throw new Error('It did not answer in time, or printed something else.')
    const found = JSON.parse(json) as Record<string, string>
    return Object.fromEntries(Object.entries(found).filter(([name]) => !OURS.includes(name)))
  } finally {
    clearTimeout(timer)
    killGroup(child.pid)
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Already ended.
  }
}

/** POSIX shells and fish: paths and script contain no fish escapes. */
const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`
