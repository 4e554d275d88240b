import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { backgroundEngineOf } from '../helpers/process-tree.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { startTestEngine } from '../helpers/test-engine.ts'
import { testServer } from '../helpers/upstream.ts'

test('a call that was under way when its engine was killed stands in the ledger, once the next one runs', async () => {
  const folder = temporaryFolder()
  const reached = join(folder, 'reached.txt')
  const dataDir = writeConfig(join(folder, 'data'), { s: testServer('reading', reached) }, {})
  const args = [CLI, 'connect', '--server', 's', '--data-dir', dataDir]
  const client = new RawClient({ command: process.execPath, args })
  onTestFinished(() => client.kill('SIGKILL'))
  await client.initialize()
  await client.request('tools/call', { name: 'read', arguments: {} })
  const lost = client
    .request('tools/call', { name: 'write', arguments: { value: 'x', slowly: true } })
    .catch(() => {})
  await expect.poll(() => existsSync(reached) && readFileSync(reached, 'utf8')).toContain('write')
  // A call is noted once its request has left: on a busy machine the server may have it before.
  const noted = (): string =>
    globSync(join(dataDir, 'under-way', '*.jsonl'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('')
  await expect.poll(noted).toContain('"tool":"write"')
  process.kill(backgroundEngineOf(dataDir) ?? Number.NaN, 'SIGKILL')
  await lost
  expect(await client.end()).toBe(0)

  const { engine, close } = await startTestEngine(dataDir)
  onTestFinished(close)
  await expect.poll(async () => (await engine.ledger.recentCalls(5)).length).toBe(2)
  const rows = await engine.ledger.recentCalls(5)
  expect(rows.find(({ tool }) => tool === 'write')).toMatchObject({
    server: 's',
    outcome: 'error',
    note: expect.stringContaining('may have carried the call out') as string,
  })
  await expect.poll(() => readdirSync(join(dataDir, 'under-way'))).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'an engine that was killed and whose exit code nobody asked for is no running one',
  async () => {
    const folder = temporaryFolder()
    const dataDir = writeConfig(join(folder, 'data'), {}, {})
    // The shell becomes a program that asks for no exit codes, before its child ends.
    const parent = spawn('/bin/sh', ['-c', 'sleep 1 & echo $!; exec sleep 600'])
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toContain(') Z ')
    mkdirSync(join(dataDir, 'under-way'))
    const call = { id: 'c_1', at: 5, client: 'c', session: 's', server: 'one', tool: 'echo' }
    writeFileSync(join(dataDir, 'under-way', `${pid}-00ff.jsonl`), `${JSON.stringify(call)}\n`)

    const { engine, close } = await startTestEngine(dataDir)
    onTestFinished(close)
    await expect
      .poll(async () => (await engine.ledger.recentCalls(5)).map(({ tool }) => tool))
      .toEqual(['echo'])
  },
)

test('calls of an engine that is still ending when the next one starts are recorded once it has ended', async () => {
  const dataDir = writeConfig(join(temporaryFolder(), 'data'), {}, {})
  const ending = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  onTestFinished(() => void ending.kill('SIGKILL'))
  const folder = join(dataDir, 'under-way')
  mkdirSync(folder)
  const call = { id: 'a', at: 5, client: 'c', session: 's', server: 'one', tool: 'write' }
  const file = join(folder, `${ending.pid}-a0.jsonl`)
  writeFileSync(file, `${JSON.stringify(call)}\n`)
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const fileOfEnded = join(folder, `${ended}-b0.jsonl`)
  writeFileSync(fileOfEnded, `${JSON.stringify({ ...call, id: 'b' })}\n`)

  const { engine, close } = await startTestEngine(dataDir)
  onTestFinished(close)
  await expect.poll(() => existsSync(fileOfEnded)).toBe(false)
  expect((await engine.ledger.recentCalls(5)).length).toBe(1)
  expect(existsSync(file)).toBe(true)
  ending.kill('SIGKILL')
  await expect.poll(async () => (await engine.ledger.recentCalls(5)).length).toBe(2)
  await expect.poll(() => existsSync(file)).toBe(false)
})
