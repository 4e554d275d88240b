import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import type { CliContext } from '../../electron/cli/cli-context.ts'
import { runProgram } from '../../electron/cli/program.ts'
import { hostEngine } from './host-engine.ts'
import { runCli } from './run-cli.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { compiledCode } from './compiled-code.ts'

export interface ClientHome {
  readonly homeDir: string
  readonly dataDir: string
  readonly put: (path: string, content: string) => string
  /** In a separate process. */
  readonly run: (...args: string[]) => ReturnType<typeof runCli>
  /** In this process, which is faster; with an answer it has a terminal. */
  readonly runHere: (
    args: readonly string[],
    input?: { answer?: string; text?: string; context?: Partial<CliContext> },
  ) => ReturnType<typeof runCli>
  /** A wrapped entry as its app does, with the engine in this process. */
  readonly start: (entry: ClientEntry) => ReturnType<typeof startEntry>
}

/** One home folder for all commands; apps' files are searched only there. */
export function clientHome(firstSight: 'ask' | 'trust' = 'trust'): ClientHome {
  const homeDir = temporaryFolder()
  const dataDir = join(homeDir, 'sluice data')
  const env = {
    HOME: homeDir,
    USERPROFILE: homeDir,
    XDG_CONFIG_HOME: '',
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
    npm_config_cache: join(homeDir, 'npm'),
  }
  const put = (path: string, content: string): string => {
    const file = join(homeDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  mkdirSync(dataDir)
  writeFileSync(
    join(dataDir, 'config.json'),
    `{ "http": { "port": 0 }, "approvals": { "firstSight": "${firstSight}" } }\n`,
  )
  const runHere: ClientHome['runHere'] = async (args, { answer, text: given, context } = {}) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: answer !== undefined })
    stdin.end(answer ?? given ?? '')
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const code = await runProgram([...args, '--data-dir', dataDir], {
      stdin,
      stdout,
      stderr,
      homeDir,
      tempDir: homeDir,
      cwd: homeDir,
      env: compiledCode(),
      platform: 'linux',
      execPath: process.execPath,
      now: Date.now,
      version: '0',
      nodeVersion: process.versions.node,
      isElectron: false,
      parentPid: () => 1,
      signals: process,
      ...context,
    })
    stdout.end()
    stderr.end()
    return { code, stdout: await text(stdout), stderr: await text(stderr) }
  }
  const run: ClientHome['run'] = (...args) => runCli([...args, '--data-dir', dataDir], { env, cwd: homeDir })
  const start: ClientHome['start'] = async (entry) => {
    await hostEngine(dataDir, { homeDir })
    return startEntry(entry, homeDir)
  }
  return { homeDir, dataDir, put, run, runHere, start }
}

export interface ClientEntry {
  readonly command: string
  readonly args: string[]
  readonly env?: Record<string, string>
}
export const entriesOf = (file: string): Record<string, ClientEntry> =>
  (
    JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as {
      mcpServers: Record<string, ClientEntry>
    }
  ).mcpServers

/** As an app starts this entry. */
export async function startEntry({ command, args, env }: ClientEntry, cwd: string) {
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: { ...compiledCode(), ...env },
    stderr: 'inherit',
  })
  const client = new Client({ name: 'app', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}
