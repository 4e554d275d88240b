import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { descendantsOf, processesWith } from '../helpers/process-tree.ts'
import { isRunning } from '../helpers/processes.ts'
import { RawClient } from '../helpers/raw-client.ts'
import type { RawMessage } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import type { RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** Whatever ends: no process is left, no other call is lost, and the error says what happened. */

const servers = {
  /** Ignores the end of its input and SIGTERM, like its child. */
  stubborn: testServer('misbehaving', '--immortal', '--grandchild'),
  other: testServer('misbehaving'),
}

const connect = async (dataDir: string, server?: string): Promise<RawClient> => {
  const scope = server === undefined ? [] : ['--server', server]
  const client = new RawClient({
    command: process.execPath,
    args: [CLI, 'connect', ...scope, '--data-dir', dataDir],
  })
  onTestFinished(() => client.kill('SIGKILL'))
  await client.initialize()
  return client
}

async function engineOn(dataDir: string): Promise<RunningEngine> {
  const engine = await startEngine(dataDir)
  onTestFinished(async () => void (await engine.stop('SIGKILL')))
  return engine
}

const call = (client: RawClient, name: string, args: RawMessage = {}): Promise<RawMessage> =>
  client.request('tools/call', { name, arguments: args })

const textOf = ({ result, error }: RawMessage): string =>
  error ? JSON.stringify(error) : ((result as { content: { text: string }[] }).content[0]?.text ?? '')

async function pidsOf(client: RawClient, prefix = ''): Promise<number[]> {
  const pids = JSON.parse(textOf(await call(client, `${prefix}pids`))) as Record<string, number>
  return Object.values(pids)
}

const expectGone = (pids: readonly number[]): Promise<void> =>
  waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 100)

/** Including guards. */
const expectNothingLeft = (dataDir: string, started: readonly number[]): Promise<void> =>
  waitFor(() => {
    expect(processesWith(dataDir)).toEqual([])
    expect(started.filter(isRunning)).toEqual([])
  }, 100)

test.each(['in the background', 'of serve'])(
  'a server that is killed in mid-call, the engine %s',
  async (way) => {
    const dataDir = writeConfig(temporaryFolder(), servers)
    if (way === 'of serve') await engineOn(dataDir)
    const client = await connect(dataDir)
    const [victim = -1, child = -1] = await pidsOf(client, 'stubborn__')
    const elsewhere = call(client, 'other__slow', { ms: 1500 })
    const doomed = call(client, 'stubborn__never')
    // Messages are read in order: with this answer the previous call has arrived.
    await call(client, 'stubborn__echo', { text: 'behind it' })
    process.kill(victim, 'SIGKILL')
    const lost = await doomed
    expect(lost).toMatchObject({ result: { isError: true } })
    expect(textOf(lost)).toMatch(/"stubborn".*(SIGKILL|killed)/)
    expect(textOf(await elsewhere)).toBe('done')
    // Its child ends, too, and the next call starts a new one.
    await expectGone([victim, child])
    expect(textOf(await call(client, 'stubborn__echo', { text: 'back again' }))).toBe('back again')
    expect(await client.end()).toBe(0)
  },
)

test('a server that ends by itself: the error has its exit code and its last words', async () => {
  const client = await connect(writeConfig(temporaryFolder(), servers), 'other')
  expect(textOf(await call(client, 'crash', { code: 7 }))).toMatch(/"other".*7.*out of cheese/s)
  expect(await client.end()).toBe(0)
})

test.each(['in the background', 'of serve'])(
  'the client closes its side, the engine %s: everything goes',
  async (way) => {
    const dataDir = writeConfig(temporaryFolder(), servers)
    const engine = way === 'of serve' ? await engineOn(dataDir) : undefined
    const client = await connect(dataDir)
    const started = [...(await pidsOf(client, 'stubborn__')), ...(await pidsOf(client, 'other__'))]
    const last = call(client, 'other__slow', { ms: 700 })
    expect(await Promise.all([client.end(), last.then(textOf)])).toEqual([0, 'done'])
    await expectGone(started)
    await engine?.stop()
    await expectNothingLeft(dataDir, started)
  },
)

test('kill -9 for a connector that has joined an engine: its servers go, other clients notice nothing', async () => {
  const dataDir = writeConfig(temporaryFolder(), servers)
  const engine = await engineOn(dataDir)
  const [victim, other] = await Promise.all([connect(dataDir, 'stubborn'), connect(dataDir, 'other')])
  const started = await pidsOf(victim)
  const elsewhere = call(other, 'slow', { ms: 1500 })
  call(victim, 'never').catch(() => {})
  await call(victim, 'echo', { text: 'behind it' })
  victim.kill('SIGKILL')
  expect(textOf(await elsewhere)).toBe('done')
  await expectGone(started)
  expect(textOf(await call(other, 'echo', { text: 'still here' }))).toBe('still here')
  await other.end()
  await engine.stop()
  await expectNothingLeft(dataDir, started)
})

test('kill -9 for the connector that started the engine: its servers go, another client goes on', async () => {
  const dataDir = writeConfig(temporaryFolder(), servers)
  const client = await connect(dataDir)
  const started = [...(await pidsOf(client, 'stubborn__')), ...(await pidsOf(client, 'other__'))]
  // Including the guard, whose command line doesn't tell whose it is.
  const everything = descendantsOf(client.pid)
  expect(everything).toEqual(expect.arrayContaining(started))
  const other = await connect(dataDir, 'other')
  client.kill('SIGKILL')
  expect(textOf(await call(other, 'echo', { text: 'still here' }))).toBe('still here')
  await expectGone(started)
  await other.end()
  await expectNothingLeft(dataDir, everything)
})

test('kill -9 for the engine: its connectors say so and go on, and nothing is left', async () => {
  const dataDir = writeConfig(temporaryFolder(), servers)
  const engine = await engineOn(dataDir)
  const [stubborn, other] = await Promise.all([connect(dataDir, 'stubborn'), connect(dataDir, 'other')])
  const started = [...(await pidsOf(stubborn)), ...(await pidsOf(other)), ...descendantsOf(engine.pid)]
  await engine.stop('SIGKILL')
  // A call before the connector sees the end would be under way, and lost.
  await waitFor(() => expect(other.stderr).toMatch(/the Sluice engine went away/))
  // The folder stays usable: one starts an engine, the other ends without work.
  expect(textOf(await call(other, 'echo', { text: 'again' }))).toBe('again')
  await expectGone(started)
  for (const client of [stubborn, other]) {
    expect(client.stderr).toMatch(/the Sluice engine went away.*the connection goes on/)
  }
  expect(await Promise.all([stubborn.end(), other.end()])).toEqual([0, 0])
  await expectNothingLeft(dataDir, started)
})

test('SIGTERM for the engine: in order, and nothing is left', async () => {
  const dataDir = writeConfig(temporaryFolder(), servers)
  const engine = await engineOn(dataDir)
  const client = await connect(dataDir)
  const started = [...(await pidsOf(client, 'stubborn__')), ...descendantsOf(engine.pid)]
  expect(await engine.stop()).toBe(0)
  expect(await client.end()).toBe(0)
  await expectNothingLeft(dataDir, started)
})

test('a connector whose output goes into a file ends with its input, too', async () => {
  const dataDir = writeConfig(temporaryFolder(), servers)
  const path = join(dataDir, 'output.jsonl')
  const file = openSync(path, 'w')
  const child = spawn(process.execPath, [CLI, 'connect', '--data-dir', dataDir], {
    stdio: ['pipe', file, 'pipe'],
  })
  closeSync(file)
  child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(readFileSync(path, 'utf8')).toMatch(/^\{"jsonrpc":"2.0","id":1,/)
})
