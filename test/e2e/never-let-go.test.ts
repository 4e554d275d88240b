import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { changeableServer, simpleTool } from '../helpers/changeable-server.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { descendantsOf, processesWith } from '../helpers/process-tree.ts'
import { isRunning } from '../helpers/processes.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { compiledCode } from '../helpers/compiled-code.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** An ending engine ends the calls in progress, and nothing else of its clients. */

const capabilities = { elicitation: { form: {} }, roots: {} }

async function connect(era: 'legacy' | 'modern', dataDir: string, ...scope: string[]) {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'held', version: '1' }, { versionNegotiation: { mode }, capabilities })
  const heard: string[] = []
  const faults: string[] = []
  const changed = 'notifications/tools/list_changed'
  client.setNotificationHandler(changed, () => void heard.push(changed))
  client.onerror = ({ message }) => faults.push(message)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'connect', ...scope, '--data-dir', dataDir],
    env: compiledCode(),
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const { content } = await client.callTool({ name, arguments: args })
    return (content as { text?: string }[])[0]?.text
  }
  return { client, transport, heard, faults, call, stderr: () => stderr }
}

const gone = (dataDir: string, pids: readonly number[]): Promise<void> =>
  waitFor(() => expect([...processesWith(dataDir), ...pids.filter(isRunning)]).toEqual([]))

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  test('kill -9 for the engine in mid-call and between calls: an error that says so, and the next call works', async () => {
    const { server, offer } = changeableServer([simpleTool('one'), simpleTool('two')])
    const dataDir = writeConfig(temporaryFolder(), { raw: testServer('misbehaving'), list: server })
    const engine = await startEngine(dataDir)
    onTestFinished(async () => void (await engine.stop('SIGKILL')))
    const one = await connect(era, dataDir)
    const other = await connect(era, dataDir, '--server', 'raw')
    const started = descendantsOf(engine.pid)
    const names = async (): Promise<string[]> =>
      (await one.client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('list__'))
    expect(await names()).toEqual(['list__one', 'list__two'])
    expect(await other.call('echo', { text: 'before' })).toBe('before')
    if (era === 'modern') await one.client.listen({ toolsListChanged: true })

    const doomed = expect(one.call('raw__never')).rejects.toThrow(
      /engine behind this connection ended\. tools\/call of "raw__never" was under way.*may have been carried out/,
    )
    // Messages are read in order: with this answer the previous call has arrived.
    expect(await one.call('raw__echo', { text: 'behind it' })).toBe('behind it')
    offer([simpleTool('one')], { silent: true })
    await engine.stop('SIGKILL')
    await doomed
    expect(await one.call('raw__echo', { text: 'again' })).toBe('again')
    expect(await other.call('echo', { text: 'idle until now' })).toBe('idle until now')
    await waitFor(() => expect(one.heard).toContain('notifications/tools/list_changed'))
    expect(await names()).toEqual(['list__one'])
    expect(other.heard).not.toContain('notifications/tools/list_changed')
    expect([...one.faults, ...other.faults]).toEqual([])
    expect(one.stderr()).toContain('the Sluice engine went away')

    const later = [one, other].flatMap(({ transport }) => descendantsOf(transport.pid ?? -1))
    expect(later.length).toBeGreaterThan(0)
    await Promise.all([one.client.close(), other.client.close()])
    await gone(dataDir, [...started, ...later])
    expect(existsSync(join(dataDir, 'run', 'engine.sock.lock'))).toBe(false)
  })
})

test('an orderly end costs no more than a kill; the next engine knows what the last one was told', async () => {
  const dataDir = writeConfig(temporaryFolder(), { s: testServer('shareable') })
  const first = await startEngine(dataDir)
  onTestFinished(async () => void (await first.stop('SIGKILL')))
  const { client, call, faults } = await connect('legacy', dataDir, '--server', 's')
  await client.setLoggingLevel('error')
  await client.subscribeResource({ uri: 'note://a' })
  await client.subscribeResource({ uri: 'note://b' })
  await client.unsubscribeResource({ uri: 'note://a' })
  const doomed = expect(call('slow', { steps: 1000 })).rejects.toThrow(/./)
  // Messages are read in order: with this answer the previous call has arrived.
  await call('state')
  expect(await first.stop()).toBe(0)
  await doomed
  const next = await startEngine(dataDir)
  onTestFinished(async () => void (await next.stop('SIGKILL')))
  const told = async (): Promise<unknown> =>
    (JSON.parse(String(await call('state'))) as { told: unknown }).told
  await waitFor(async () => expect(await told()).toEqual(['level error', 'subscribe note://b']))
  expect(faults).toEqual([])
  await client.close()
  expect(await next.stop()).toBe(0)
  await gone(dataDir, [])
})

test('an engine that no longer has the server is not asked over and over; mended, it is at the next call', async () => {
  const settings = { raw: testServer('misbehaving') }
  const dataDir = writeConfig(temporaryFolder(), settings)
  const first = await startEngine(dataDir)
  onTestFinished(async () => void (await first.stop('SIGKILL')))
  const { call, stderr } = await connect('legacy', dataDir, '--server', 'raw')
  expect(await call('echo', { text: 'before' })).toBe('before')
  await first.stop('SIGKILL')
  writeConfig(dataDir, {})
  const second = await startEngine(dataDir)
  onTestFinished(async () => void (await second.stop('SIGKILL')))
  await waitFor(() => expect(stderr()).toContain('could not resume the session'))
  // Another client joins meanwhile and is answered: time for many tries.
  const meanwhile = await connect('legacy', dataDir)
  await meanwhile.client.listTools()
  expect(stderr().match(/could not resume the session/g)).toHaveLength(1)
  expect(stderr().match(/the Sluice engine went away/g)).toHaveLength(1)
  await expect(call('echo', { text: 'while it is gone' })).rejects.toThrow(/"raw"/)
  writeConfig(dataDir, settings)
  await waitFor(async () => expect(await call('echo', { text: 'back' })).toBe('back'))
})
