import { homedir, tmpdir } from 'node:os'
import { Readable, Writable } from 'node:stream'
import type { CliContext } from '../../electron/cli/cli-context.ts'
import { runProgram } from '../../electron/cli/program.ts'
import type { CliOptions, CliResult } from './run-cli.ts'

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write: (chunk: Buffer | string, _encoding, done) => {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}

/** In this process: saves a start of Node and of the engine's modules. */
export async function runHere(
  args: readonly string[],
  { input = '', env = {}, cwd = process.cwd() }: CliOptions = {},
): Promise<CliResult> {
  return runWith((context) => runProgram(args, context), { input, env, cwd })
}

/** What a command does, with a context of this process. */
export async function runWith(
  work: (context: CliContext) => Promise<number>,
  { input = '', env = {}, cwd = process.cwd() }: CliOptions = {},
): Promise<CliResult> {
  const [stdout, stderr] = [collector(), collector()]
  const code = await work({
    stdin: Readable.from(input === '' ? [] : [input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { ...process.env, ...env },
    platform: process.platform,
    homeDir: env['HOME'] ?? homedir(),
    tempDir: tmpdir(),
    cwd,
    execPath: process.execPath,
    now: Date.now,
    version: '0.0.0',
    nodeVersion: process.versions.node,
    isElectron: false,
    parentPid: () => process.ppid,
    signals: process,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}
