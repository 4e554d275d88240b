import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { resolve } from 'node:path'
import { CLI_BUILD, CLI_SOURCE, isBuildFresh } from './fresh-build.ts'

const root = resolve(import.meta.dirname, '../..')
/** The build, as users do and in a third of the time, unless a source is newer. */
export const CLI = isBuildFresh() ? CLI_BUILD : CLI_SOURCE

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** In a separate process, on the tests' Node. */
export function startCli(
  args: readonly string[],
  { env, cwd }: CliOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [CLI, ...args], { cwd: cwd ?? root, env: { ...process.env, ...env } })
}

/** To its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = startCli(args, options)
  const code = new Promise<number | null>((done) => child.on('close', done))
  // A command that doesn't read its input may close it.
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}
