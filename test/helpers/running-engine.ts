import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI } from './run-cli.ts'

export interface RunningEngine {
  readonly pid: number
  readonly dataDir: string
  readonly url: string
  readonly token: string
  /** To stdout and stderr so far. */
  output(): string
  /** By signal; resolves with the exit code, null after SIGKILL. */
  /** With the exit code, once nothing holds its output. */
  readonly ended: Promise<number | null>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

const START_MS = 120_000

export interface EngineProgram {
  /** Runs the script; default: the tests' Node. */
  readonly command?: string
  /** Default: build or sources (run-cli.ts). */
  readonly cli?: string
  readonly nodeArgs?: readonly string[]
  /** Starts a process group, for signals to all of it. */
  readonly isGroup?: boolean
}

/** `env` is its whole environment. The caller must stop it. */
export async function startEngine(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  { command = process.execPath, cli = CLI, nodeArgs = [], isGroup = false }: EngineProgram = {},
): Promise<RunningEngine> {
  const child = spawn(command, [...nodeArgs, cli, 'serve', '--data-dir', dataDir], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`The engine did not start: ${why}\n${output}`))
    const timer = setTimeout(() => fail('it took too long'), START_MS)
    const onOutput = (chunk: Buffer): void => {
      output += chunk.toString()
      if (!output.includes('  log: ')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', (error) => fail(error.message))
    child.once('close', (code) => fail(`exit code ${code}`))
  })
  return {
    pid: child.pid ?? -1,
    dataDir,
    url: /serves at (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1] ?? '',
    token: readFileSync(join(dataDir, 'token'), 'utf8').trim(),
    output: () => output,
    ended,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
