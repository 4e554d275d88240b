import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLI, runCli, startCli } from '../helpers/run-cli.ts'
import { isRunning } from '../helpers/processes.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { initializeRequest } from '../helpers/initialize-request.ts'
import { compiledCode } from '../helpers/compiled-code.ts'
import { waitFor } from '../helpers/wait-for.ts'

function dataFolder(servers: Record<string, unknown>, port = 0): string {
  const dataDir = temporaryFolder()
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(
    join(dataDir, 'config.json'),
    JSON.stringify({ http: { port }, approvals: { firstSight: 'trust' }, servers }),
    { mode: 0o600 },
  )
  return dataDir
}

async function connectThrough(dataDir: string, ...args: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'connect', '--data-dir', dataDir, ...args],
    env: compiledCode(),
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const client = new Client({ name: 'test-client', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, pid: transport.pid ?? -1, stderr: () => stderr }
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n')

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

async function serveOn(dataDir: string) {
  const child = startCli(['serve', '--data-dir', dataDir])
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('close', done))
  onTestFinished(() => void child.kill('SIGKILL'))
  await waitFor(() => expect(stdout).toContain('log: '))
  return { child, ended, stdout: () => stdout }
}

describe('sluice connect', () => {
  test('starts an engine where none runs; the call is in the ledger, its original is kept', async () => {
    const dataDir = dataFolder({ big: testServer('big-result') })
    const { client, pid, stderr } = await connectThrough(dataDir, '--server', 'big', '--client', 'my-app')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('log')
    const shortened = textOf(await client.callTool({ name: 'log', arguments: { bytes: 100_000 } }))
    expect(shortened).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: log, id: r_\w+\]/)
    await client.close()
    await waitFor(() => expect(isRunning(pid)).toBe(false))
    expect(stderr()).toBe('')

    const stats = await runCli(['stats', '--json', '--data-dir', dataDir])
    expect(JSON.parse(stats.stdout)).toMatchObject({
      today: {
        byTool: expect.arrayContaining([
          expect.objectContaining({ server: 'big', tool: 'log', calls: 1 }),
        ]) as unknown,
      },
    })
    const id = /id: (r_\w+)/.exec(shortened)?.[1] ?? ''
    const list = await runCli(['results', 'list', '--json', '--client', 'my-app', '--data-dir', dataDir])
    expect(JSON.parse(list.stdout)).toMatchObject([{ id, owner: 'my-app', tool: 'log' }])
    const original = await runCli(['results', 'show', id, '--data-dir', dataDir])
    expect(Buffer.byteLength(original.stdout)).toBe(100_000)
  })

  test('one server whose settings are wrong does not take the others down', async () => {
    const dataDir = dataFolder({
      good: testServer('big-result'),
      variable: { command: 'x', env: { A: '${env:NO_SUCH_VARIABLE}' } },
      absent: { command: 'no-such-program-here' },
      misspelt: { comand: 'x' },
    })
    const { client, stderr } = await connectThrough(dataDir)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('good__log')
    expect(textOf(await client.callTool({ name: 'good__echo', arguments: { text: 'hi' } }))).toBe('hi')
    const reason =
      /Server "misspelt" is not in effect, since .*config\.json:\d+:\d+ servers\.misspelt.*"comand"\. Did you mean "command"\?/
    await expect(client.callTool({ name: 'misspelt__any', arguments: {} })).rejects.toThrow(reason)
    await expect(connectThrough(dataDir, '--server', 'misspelt')).rejects.toThrow(reason)
    expect(stderr()).toMatch(/NO_SUCH_VARIABLE, which is not set/)
    expect(stderr()).toMatch(/Unknown key "comand"\. Did you mean "command"\?/)
  })
})

test('MCPCP fault: log lines on stdout, the channel of the protocol', async () => {
  const dataDir = dataFolder({
    noisy: testServer('big-result'),
    absent: { command: 'no-such-program' },
    bad: { comand: 'x' },
  })
  const child = startCli(['--verbose', 'connect', '--data-dir', dataDir])
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'absent__x' } },
    { id: 4, method: 'tools/call', params: { name: 'noisy__echo', arguments: { text: 'hi' } } },
  ]) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  child.stdin.end()
  const lines = (await stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.every((line) => line['jsonrpc'] === '2.0')).toBe(true)
  expect(new Set(lines.map((line) => line['id']).filter(Boolean))).toEqual(new Set([1, 2, 3, 4]))
  expect(await stderr).toMatch(/ info  server connected /)
})

describe('sluice serve', () => {
  test('one engine for several clients; ends in order at SIGTERM, and they go on', async () => {
    const dataDir = dataFolder({ big: testServer('big-result') })
    const { child, ended, stdout } = await serveOn(dataDir)
    const url = /serves at (http:\/\/127\.0\.0\.1:\d+)/.exec(stdout())?.[1] ?? ''
    const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
    expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(401)
    const ping = await fetch(`${url}/mcp`, initializeRequest('http', { authorization: `Bearer ${token}` }))
    expect(ping.status).toBe(200)
    await ping.body?.cancel()

    const one = await connectThrough(dataDir, '--server', 'big')
    const two = await connectThrough(dataDir)
    expect(textOf(await one.client.callTool({ name: 'echo', arguments: { text: 'one' } }))).toBe('one')
    expect(textOf(await two.client.callTool({ name: 'big__echo', arguments: { text: 'two' } }))).toBe('two')

    const running = await runCli(['doctor', '--offline', '--json', '--data-dir', dataDir])
    expect(running.stdout).toContain('One runs on this folder')
    const second = await runCli(['serve', '--data-dir', dataDir])
    expect(second.code).toBe(3)
    expect(second.stderr).toMatch(/^sluice: An engine already runs on this data folder .*--data-dir\.\n$/)

    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await waitFor(() => expect(one.stderr()).toContain('the Sluice engine went away'))
    expect(textOf(await two.client.callTool({ name: 'big__echo', arguments: { text: 'on' } }))).toBe('on')
    await Promise.all([one.client.close(), two.client.close()])
    await waitFor(() => expect([one.pid, two.pid].filter(isRunning)).toEqual([]))
  })

  test('settings with a mistake outside of the servers: their own port all the same, and clients hear the reason', async () => {
    const dataDir = dataFolder({ big: testServer('big-result') })
    const port = await freePort()
    const path = join(dataDir, 'config.json')
    const config = JSON.parse(readFileSync(path, 'utf8')) as object
    writeFileSync(path, JSON.stringify({ ...config, http: { port }, nonsense: true }), { mode: 0o600 })
    const { child, ended, stdout } = await serveOn(dataDir)
    expect(stdout()).toContain(`serves at http://127.0.0.1:${port}\n`)
    const authorization = `Bearer ${readFileSync(join(dataDir, 'token'), 'utf8').trim()}`
    const health = await fetch(`http://127.0.0.1:${port}/health`, { headers: { authorization } })
    expect(await health.json()).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('nonsense') as unknown],
    })
    const refused = await fetch(
      `http://127.0.0.1:${port}/mcp/big`,
      initializeRequest('http', { authorization }),
    )
    expect(await refused.text()).toMatch(
      /Server \\"big\\" is not in effect, since the settings as a whole .*nonsense/,
    )
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('a port that another program has: one sentence and code 3', async () => {
    const dataDir = dataFolder({})
    const first = await serveOn(dataDir)
    const port = /:(\d+)\n/.exec(first.stdout())?.[1] ?? ''
    const { code, stderr } = await runCli(['serve', '--port', port, '--data-dir', dataFolder({})])
    expect(code).toBe(3)
    expect(stderr).toMatch(new RegExp(`^sluice: .*${port}.*\\n$`))
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
  })

  test('start says why there is no window, and serves', async () => {
    const child = startCli(['start', '--data-dir', dataFolder({})])
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    const ended = new Promise<number | null>((done) => child.on('close', done))
    await waitFor(() => expect(stdout).toContain('log: '))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(stdout).toMatch(
      /^There is no desktop window because .+, so Sluice runs in this terminal;.*\nSluice \d+\.\d+\.\d+ serves at/,
    )
  })

  test('start says that Sluice runs here only if it does', async () => {
    const dataDir = dataFolder({})
    const first = await serveOn(dataDir)
    const again = await runCli(['start', '--data-dir', dataDir])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toMatch(
      /^There is no desktop window because [^;]+\. Sluice runs already on .+ A new link to its screens:\n {2}http:\S+\n$/,
    )
    const port = Number(/:(\d+)\n/.exec(first.stdout())?.[1])
    const taken = await runCli(['start', '--data-dir', dataFolder({}, port)])
    expect(taken).toMatchObject({ code: 3, stdout: '' })
    expect(taken.stderr).toContain(`Port ${port} is taken`)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
  })
})
