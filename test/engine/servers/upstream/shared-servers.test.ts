import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Client } from '@modelcontextprotocol/client'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import type { UpstreamLink } from '../../../../electron/engine/protocol/link.ts'
import { SharedServers } from '../../../../electron/engine/servers/upstream/shared-servers.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { isRunning } from '../../../helpers/processes.ts'
import { openTestLink, testServer, textOf } from '../../../helpers/upstream.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

/** One engine for all tests of a block, and its cleanup. */
const ends: (() => Promise<void> | void)[] = []
const whenDone = (end: () => Promise<void> | void): void => void ends.unshift(end)
afterAll(async () => {
  for (const end of ends) await end()
})

const trust = { approvals: { firstSight: 'trust' } }
const elicitation = { elicitation: { form: {} } }

/** Notifications of this kind, in order. */
function hear(client: Client, method: string): unknown[] {
  const heard: unknown[] = []
  client.setNotificationHandler(
    method as 'notifications/message',
    (message) => void heard.push(message.params),
  )
  return heard
}

const answerWith = (client: Client, word: string): void =>
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { word } }))

describe('a process that several clients share', () => {
  let world: Awaited<ReturnType<typeof engineWorld>>
  beforeAll(async () => {
    world = await engineWorld({ s: { ...testServer('shareable'), shared: true } }, trust, { whenDone })
  })
  const state = async (call: (tool: string) => Promise<string>) =>
    JSON.parse(await call('state')) as {
      pid: number
      told: string[]
      cancelled: number
      rootsAtStart: string
    }

  test('is one for clients of both eras and all scopes', async () => {
    const [a, b, c] = [
      await world.connect(),
      await world.connect({ era: 'modern' }),
      await world.connect({ scope: { kind: 'all' } }),
    ]
    const pids = [(await state(a.call)).pid, (await state(b.call)).pid]
    const through = JSON.parse(await c.call('s__state')) as { pid: number }
    expect(new Set([...pids, through.pid]).size).toBe(1)
    expect(world.engine.serverStates.of('s')).toMatchObject({ state: 'ready', open: 3 })
    expect(b.client.getServerVersion()).toMatchObject({ name: 'shareable' })
    expect(a.client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true }, logging: {} })
    for (const each of [a, b, c]) await each.close()
  })

  test('keeps answers, progress and cancellation of each client apart', async () => {
    const [a, b] = [await world.connect(), await world.connect()]
    const before = await state(a.call)
    const run = async ({ client }: typeof a, name: string) => {
      const progress: unknown[] = []
      const onprogress = ({ message }: { message?: string | undefined }): void => void progress.push(message)
      const result = await client.callTool({ name: 'slow', arguments: { name, steps: 4 } }, { onprogress })
      return [textOf(result), ...progress]
    }
    const both = await Promise.all([run(a, 'a'), run(b, 'b'), run(a, 'a2'), run(b, 'b2')])
    expect(both).toEqual(['a', 'b', 'a2', 'b2'].map((name) => Array.from({ length: 5 }, () => name)))

    const abort = new AbortController()
    const begun = vi.fn()
    const given = a.client.callTool(
      { name: 'slow', arguments: { name: 'a', steps: 500 } },
      { signal: abort.signal, onprogress: begun },
    )
    const kept = run(b, 'b')
    await waitFor(() => expect(begun).toHaveBeenCalled())
    abort.abort()
    await expect(given).rejects.toThrow()
    expect((await kept)[0]).toBe('b')
    await waitFor(async () => expect((await state(b.call)).cancelled).toBe(before.cancelled + 1))
    begun.mockClear()
    const lost = a.client.callTool(
      { name: 'slow', arguments: { name: 'a', steps: 500 } },
      { onprogress: begun },
    )
    lost.catch(() => {})
    await waitFor(() => expect(begun).toHaveBeenCalled())
    await a.close()
    await waitFor(async () => expect((await state(b.call)).cancelled).toBe(before.cancelled + 2))
    expect((await state(b.call)).pid).toBe(before.pid)
    await b.close()
  })

  test('asks the client whose call it works at, and is refused in clear words where that can’t be told', async () => {
    const [a, b] = [
      await world.connect({ capabilities: { ...elicitation, roots: {} } }),
      await world.connect({ capabilities: elicitation }),
    ]
    const modern = await world.connect({ era: 'modern', capabilities: elicitation })
    const mute = await world.connect()
    answerWith(a.client, 'from a')
    answerWith(b.client, 'from b')
    answerWith(modern.client, 'from the modern one')
    a.client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///a' }] }))
    expect(await a.call('ask')).toBe('from a')
    expect(await b.call('ask')).toBe('from b')
    expect(await modern.call('ask')).toBe('from the modern one')
    expect(await a.call('roots')).toBe('file:///a')
    expect(await mute.call('ask')).toMatch(/\(test\) did not announce "elicitation"/)

    const busy = b.call('slow', { name: 'b', steps: 20 })
    expect(await a.call('ask')).toMatch(
      /Server "s" is shared.*asked for elicitation\/create while 2 clients had calls/,
    )
    expect(await busy).toBe('b')
    expect((await state(a.call)).rootsAtStart).toMatch(/asked for roots\/list while no client had a call/)
    for (const each of [a, b, modern, mute]) await each.close()
  })

  test('subscriptions are counted, and each client hears of its own', async () => {
    const [a, b] = [await world.connect(), await world.connect()]
    const from = (await state(a.call)).told.length
    const told = async (): Promise<string[]> => (await state(a.call)).told.slice(from)
    const [atA, atB] = [a, b].map(({ client }) => hear(client, 'notifications/resources/updated'))
    const update = (uri: string) =>
      a.call('say', { method: 'notifications/resources/updated', params: { uri } })
    await a.client.subscribeResource({ uri: 'note://a' })
    await b.client.subscribeResource({ uri: 'note://a' })
    await b.client.subscribeResource({ uri: 'note://b' })
    await update('note://a')
    await update('note://b')
    await waitFor(() => expect(atB).toEqual([{ uri: 'note://a' }, { uri: 'note://b' }]))
    expect(atA).toEqual([{ uri: 'note://a' }])
    await a.client.unsubscribeResource({ uri: 'note://a' })
    expect(await told()).toEqual(['subscribe note://a', 'subscribe note://b'])
    await update('note://a')
    await waitFor(() => expect(atB).toHaveLength(3))
    expect(atA).toHaveLength(1)
    await b.close()
    await waitFor(async () =>
      expect((await told()).slice(2)).toEqual(['unsubscribe note://a', 'unsubscribe note://b']),
    )
    await a.close()
  })

  test('changed lists are told to all; the process has the most talkative log level, and each client its own', async () => {
    const [a, b, c] = [await world.connect(), await world.connect(), await world.connect()]
    const from = (await state(a.call)).told.length
    const logs = [a, b, c].map(({ client }) => hear(client, 'notifications/message'))
    await a.client.setLoggingLevel('error')
    await b.client.setLoggingLevel('debug')
    await a.client.setLoggingLevel('warning')
    expect((await state(c.call)).told.slice(from)).toEqual(['level error', 'level debug'])
    const log = (level: string) => ({ method: 'notifications/message', params: { level, data: level } })
    const all = Promise.all([a, b, c].map(({ call }, n) => call('slow', { name: `${n}`, steps: 10 })))
    for (const level of ['debug', 'info', 'error']) await c.call('say', log(level))
    await c.call('say', { method: 'notifications/tools/list_changed' })
    await all
    await waitFor(() => expect([a.heard(), b.heard(), c.heard()]).toEqual([1, 1, 1]))
    const levels = logs.map((each) => each.map((params) => (params as { level: string }).level))
    expect(levels).toEqual([['error'], ['debug', 'info', 'error'], ['info', 'error']])
    // While one client has a call under way, the others receive no related messages.
    await c.call('say', log('error'))
    expect(logs.map((each) => each.length)).toEqual([1, 3, 3])
    await b.close()
    await waitFor(async () => expect((await state(c.call)).told.at(-1)).toBe('level warning'))
    await a.close()
    await c.close()
  })

  test('a process that dies fails the calls of all, and is started once for all', async () => {
    const [a, b] = [await world.connect(), await world.connect()]
    const { pid } = await state(a.call)
    const waiting = b.call('slow', { name: 'b', steps: 500 })
    expect(await a.call('exit')).toMatch(/Server "s" exited with code 3/)
    expect(await waiting).toMatch(/Server "s" exited/)
    const [atA, atB] = await Promise.all([state(a.call), state(b.call)])
    expect(atA.pid).toBe(atB.pid)
    expect(atA.pid).not.toBe(pid)
    await a.close()
    await b.close()
  })
})

test('a client hears of no newer protocol than it asked for, and of no tasks', async () => {
  const shared = new SharedServers({ logger: silentLogger, version: '0' })
  whenDone(() => shared.close())
  const { link } = await openTestLink({
    settings: { ...testServer('features', '--era', 'legacy'), shared: true },
    client: {
      era: 'legacy',
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    },
    deps: { shared },
  })
  expect(link.hello.protocolVersion).toBe('2025-03-26')
  expect(link.hello.raw['protocolVersion']).toBe('2025-03-26')
  expect(link.hello.capabilities).not.toHaveProperty('tasks')
  // Tasks would be shared by all clients: neither created nor listed.
  await expect(link.request('tasks/list', {})).rejects.toThrow(
    /shared by all clients.*tasks\/list is refused/,
  )
  const answer = await link.request('tools/call', {
    name: 'echo',
    arguments: { text: 'hi' },
    task: { ttl: 60_000 },
  })
  expect(answer).not.toHaveProperty('task')
  await link.close()
})

test('the process outlives its last client for a moment, and ends with the engine or when it is retired', async () => {
  const shared = new SharedServers({ logger: silentLogger, version: '0', graceMs: 300 })
  whenDone(() => shared.close())
  const open = async (name = 'shareable'): Promise<UpstreamLink> =>
    (await openTestLink({ settings: { ...testServer(name), shared: true }, deps: { shared } })).link
  const first = await open()
  const { pid = 0 } = first
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  whenDone(() => void vi.useRealTimers())
  await first.close()
  await vi.advanceTimersByTimeAsync(299)
  const second = await open()
  expect(second.pid).toBe(pid)
  vi.useRealTimers()
  await second.close()
  await waitFor(() => expect(isRunning(pid)).toBe(false))

  const [third, other] = await Promise.all([open(), open()])
  expect(third.pid).toBe(other.pid)
  shared.retire('test')
  const young = await open()
  expect(young.pid).not.toBe(third.pid)
  expect(textOf(await third.request('tools/call', { name: 'roots' }))).toBeTruthy()
  await third.close()
  await other.close()
  expect(isRunning(third.pid ?? 0)).toBe(false)

  await shared.close()
  expect(isRunning(young.pid ?? 0)).toBe(false)
})

test('one client that gives up a start does not take it from the others; a failed start is told to all', async () => {
  const shared = new SharedServers({ logger: silentLogger, version: '0' })
  whenDone(() => shared.close())
  const settings = { ...testServer('features', '--start-delay', '300'), shared: true }
  const abort = new AbortController()
  const given = openTestLink({ settings, deps: { shared }, signal: abort.signal })
  const kept = openTestLink({ settings, deps: { shared } })
  abort.abort(new Error('given up'))
  await expect(given).rejects.toThrow('given up')
  expect((await kept).link.hello.serverInfo.name).toBe('features')
  const wrong = { command: 'no-such-program-here', shared: true }
  const both = await Promise.allSettled([1, 2].map(() => openTestLink({ settings: wrong, deps: { shared } })))
  for (const each of both)
    expect(String(each.status === 'rejected' && each.reason)).toMatch(/no-such-program-here/)
})
