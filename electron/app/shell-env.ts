import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { messageOf } from '../engine/ground/errors.ts'
import type { Logger } from '../engine/ground/logger.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ShellEnvOptions {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  /** A program that is Node when ELECTRON_RUN_AS_NODE is set: the app itself. */
  readonly execPath: string
  readonly logger: Logger
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 5_000
/** Shells that take `-i -l -c` and single quotes as all of them do. */
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish'])
/** Of the shell that we started, not of the user's. */
const OURS = ['ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ATTACH_CONSOLE', 'SHLVL', '_', 'PWD', 'OLDPWD']

/**
 * What a program started from the user's terminal would find in its environment. Apps that the desktop starts get a bare
 * PATH, in which `npx` and `uvx` are often missing. Whatever goes wrong, the environment stays as it is.
 */
export async function readShellEnv(options: ShellEnvOptions): Promise<Environment> {
  const { env, platform, logger } = options
  // Whoever started us from a terminal has given us that environment already.
  if (platform === 'win32' || env['TERM'] !== undefined) return env
  const shell = env['SHELL'] ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/sh')
  if (!SHELLS.has(basename(shell))) {
    logger.info(`The environment of ${shell} is not read: it is no shell that Sluice knows.`)
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
  // The shell's own start-up files may print anything before and after.
  const mark = `sluice-${process.pid}-${Math.random().toString(36).slice(2)}`
  const script = `process.stdout.write("${mark}"+JSON.stringify(process.env)+"${mark}")`
  const command = `${quote(execPath)} -e ${quote(script)}`
  const child = spawn(shell, ['-i', '-l', '-c', command], {
    env: { ...env, ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ATTACH_CONSOLE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Away from any terminal: an interactive shell would stop itself when it is not in its foreground.
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

/** The shell and whatever its start-up files left behind. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

/** For a POSIX shell and fish alike: neither paths nor the script hold what fish reads inside single quotes. */
const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`
