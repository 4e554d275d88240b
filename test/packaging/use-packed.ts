import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { generateText } from '../fixtures/servers/generate-text.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { createProgramBrowser, sessionOf } from '../helpers/program-browser.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { compiledCode } from '../helpers/compiled-code.ts'

/** Checks of a packed Sluice, run by plain Node or by the app's program as Node. */

/** A Node and the script of Sluice's command line. */
export type Program = readonly [command: string, cli: string]

export async function runProgram(
  [command, cli]: Program,
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, [cli, ...args], { env: { ...process.env, ...env } })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

const KILOBYTES_400 = 400_000

/** Engine, launcher, worker threads, database and sandbox, in one session of a real client. */
export async function callThroughLauncher(
  program: Program,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dataDir = writeConfig(temporaryFolder(), { big: testServer('big-result') })
  const engine = await startEngine(
    dataDir,
    { ...process.env, ...env },
    { command: program[0], cli: program[1] },
  )
  onTestFinished(async () => {
    expect(await engine.stop(), engine.output()).toBe(0)
  })
  const [command, cli] = program
  const connect = async (server: string): Promise<Client> => {
    const client = new Client({ name: 'packed', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command,
        args: [cli, 'connect', '--client', 'packed', '--server', server, '--data-dir', dataDir],
        env: { ...compiledCode(), ...env },
        stderr: 'ignore',
      }),
    )
    onTestFinished(() => client.close())
    return client
  }
  const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args }, { timeout: 60_000 })
    return (content as { text: string }[])[0]?.text ?? ''
  }

  const client = await connect('big')
  const shortened = await call(client, 'log', { bytes: KILOBYTES_400 })
  expect(shortened.slice(0, 200)).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: log, id: r_\w+\]/)
  const id = /id: (r_\w+)/.exec(shortened)?.[1] ?? ''
  const kept = await runProgram(program, ['results', 'show', id, '--data-dir', dataDir], '', env)
  expect(kept.stdout === generateText('log', KILOBYTES_400), kept.stderr).toBe(true)
  const exploring = await connect('sluice')
  const ran = await call(exploring, 'proxy_run', { id, code: 'return text.length' })
  expect(ran).toContain(String(KILOBYTES_400))

  const opened = await runProgram(program, ['open', '--data-dir', dataDir], '', env)
  const link = opened.stdout.trim()
  expect(await (await fetch(link)).text()).toContain('<title>Sluice</title>')
  const headers = await sessionOf(await createProgramBrowser().open(link))
  expect((await fetch(`${engine.url}/api/status`, { headers })).status).toBe(200)
}

/** Loads node-llama-cpp from this folder on the processor only, and reports the result. */
export async function loadLocalModelRuntime(folder: string): Promise<unknown> {
  const script = join(folder, 'load-llama.mjs')
  writeFileSync(
    script,
    `import { getLlama } from 'node-llama-cpp'
    const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false })
    process.stdout.write(JSON.stringify({ gpu: llama.gpu, buildType: llama.buildType }))
    await llama.dispose()`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  return JSON.parse(stdout)
}
