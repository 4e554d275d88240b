import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBackOff } from '../../../electron/engine/servers/back-off.ts'
import { createOpenLink } from '../../../electron/engine/servers/open-link.ts'
import { wasNeverSent } from '../../../electron/engine/servers/upstream/never-sent.ts'
import type { OpenLinkOptions, UpstreamLink } from '../../../electron/engine/protocol/link.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { isRunning } from '../../helpers/processes.ts'
import {
  defaultDependencies,
  legacyClient,
  openTestLink,
  testServer,
  textOf,
} from '../../helpers/upstream.ts'
import type { TestLinkOptions } from '../../helpers/upstream.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function connect(options: TestLinkOptions) {
  const opened = await openTestLink(options)
  closing.push(() => opened.link.close())
  return opened
}

/** A stopped process does not react to its end. */
const endSteps = { endOfInput: 100, terminate: 100, kill: 2000 }

const call = (link: UpstreamLink, name: string, timeoutMs?: number) =>
  link.request('tools/call', { name, arguments: {} }, timeoutMs === undefined ? {} : { timeoutMs })

/** A hand-written server with sessions. `toOld` answers requests of forgotten sessions: status and text, or nothing. */
async function startSessions(port = 0) {
  const seen: string[] = []
  const state = {
    session: 0,
    toOld: undefined as readonly [status: number | undefined, words: string] | undefined,
    toAll: undefined as number | undefined,
  }
  const server: Server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk: Buffer) => (text += chunk.toString()))
    req.on('end', () => {
      const { id, method } = text === '' ? {} : (JSON.parse(text) as { id?: number; method?: string })
      seen.push(method ?? '')
      if (method === 'initialize') state.session++
      const isOld = method !== 'initialize' && req.headers['mcp-session-id'] !== String(state.session)
      const isRefused = state.toAll !== undefined && method === 'tools/call'
      const [status, words] =
        req.method !== 'POST'
          ? [405, '']
          : isOld
            ? (state.toOld ?? [404, 'Session not found'])
            : isRefused
              ? [state.toAll, 'Overloaded']
              : [id === undefined ? 202 : 200, '']
      if (status === undefined) return
      if (status !== 200) {
        res.writeHead(status).end(words)
        return
      }
      const introduction = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'raw', version: '1' },
      }
      res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': String(state.session) })
      const result =
        method === 'initialize' ? introduction : { content: [{ type: 'text', text: `call ${method}` }] }
      res.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  closing.push(close)
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${taken}/mcp`, port: taken, seen, state, close }
}

describe('a session that the server has forgotten', () => {
  test.each([
    [404, ''],
    [400, 'Bad Request: No valid session ID provided'],
    [503, 'Session is not available'],
  ])('is opened anew where the server says so with %i, and the call is made once', async (status, words) => {
    const { url, state, seen } = await startSessions()
    const { link, heard } = await connect({ settings: { url } })
    state.session++
    state.toOld = [status, words]
    expect(textOf(await call(link, 'a'))).toBe('call tools/call')
    expect(seen.filter((method) => method === 'initialize')).toHaveLength(2)
    // Refused without execution, and repeated.
    expect(seen.filter((method) => method === 'tools/call')).toHaveLength(2)
    expect(heard.lost).toEqual([])
  })

  test('an overloaded server is no forgetful one: the call is not repeated', async () => {
    const { url, state, seen } = await startSessions()
    const { link } = await connect({ settings: { url } })
    state.toAll = 503
    await expect(call(link, 'pay')).rejects.toThrow(/503/)
    expect(seen.filter((method) => method === 'tools/call')).toHaveLength(1)
  })

  test('and to which it answers nothing is lost with its first time-out, so that the next use connects anew', async () => {
    const { url, state } = await startSessions()
    const { link, heard } = await connect({ settings: { url }, deps: { checkMs: 150 } })
    state.session++
    state.toOld = [undefined, '']
    await expect(call(link, 'a', 100)).rejects.toThrow(/no answer and no progress for 100 ms/)
    await waitFor(() => expect(heard.lost).toHaveLength(1))
    expect(heard.lost[0]?.message).toMatch(/"test" answers nothing any more.*reconnected on the next use/)
    const { link: next } = await connect({ settings: { url } })
    expect(textOf(await call(next, 'a'))).toBe('call tools/call')
  })
})

test('a request that could not be sent is sent when the server is back, once; one that was cut off is not', async () => {
  const first = await startSessions()
  const sockets: Socket[] = []
  const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket)
  subscribe('net.client.socket', note)
  onTestFinished(() => void unsubscribe('net.client.socket', note))
  const { link } = await connect({ settings: { url: first.url } })
  await call(link, 'a')
  await first.close()
  // The end of the kept connection is noticed first: what was sent over it may have arrived.
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  const before = sockets.length
  const waiting = call(link, 'b')
  await expect.poll(() => sockets.slice(before).some(({ destroyed }) => destroyed)).toBe(true)
  const second = await startSessions(first.port)
  expect(textOf(await waiting)).toBe('call tools/call')
  expect(second.seen.filter((method) => method === 'initialize')).toHaveLength(1)

  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const cut = Object.assign(new Error('read'), { code: 'ECONNRESET' })
  const timedOut = Object.assign(new Error('late'), { code: 'ETIMEDOUT', syscall: 'read' })
  expect(wasNeverSent(new TypeError('fetch failed', { cause: refused }))).toBe(true)
  expect(wasNeverSent(new TypeError('fetch failed', { cause: new AggregateError([refused, refused]) }))).toBe(
    true,
  )
  expect(wasNeverSent(new TypeError('fetch failed', { cause: new AggregateError([refused, cut]) }))).toBe(
    false,
  )
  expect(wasNeverSent(new TypeError('fetch failed', { cause: timedOut }))).toBe(false)
})

describe('a process', () => {
  test('that stands still is lost after a time-out, unless it is only busy', async () => {
    const { link, heard } = await connect({
      settings: testServer('shareable'),
      deps: { checkMs: 200, endSteps },
    })
    const pid = link.pid ?? 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    // Alive: it answers the ping after the time-out.
    const slow = { name: 'slow', arguments: { steps: 60_000 } }
    const tooSlow = expect(link.request('tools/call', slow, { timeoutMs: 50 })).rejects.toThrow(/50 ms/)
    await vi.advanceTimersByTimeAsync(50)
    await tooSlow
    // Requests are read in order: everything before this one has been answered.
    await call(link, 'state')
    await vi.advanceTimersByTimeAsync(200)
    expect(heard.lost).toEqual([])
    process.kill(pid, 'SIGSTOP')
    const other = call(link, 'state')
    other.catch(() => {})
    const late = expect(call(link, 'state', 50)).rejects.toThrow(/50 ms/)
    await vi.advanceTimersByTimeAsync(50)
    await late
    // The ping also times out.
    await vi.advanceTimersByTimeAsync(200)
    expect(heard.lost).toEqual([])
    vi.useRealTimers()
    process.kill(pid, 'SIGCONT')
    await other
    process.kill(pid, 'SIGSTOP')
    await expect(call(link, 'state', 50)).rejects.toThrow(/50 ms/)
    await waitFor(() => expect(heard.lost).toHaveLength(1))
    await link.close()
    expect(isRunning(pid)).toBe(false)
  })

  test('that did not survive the machine’s sleep is found out at once', async () => {
    const listeners = new Set<() => void>()
    const onDoubt = (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
    const deps = { checkMs: 200, endSteps, onDoubt }
    const [dead, alive] = [
      await connect({ settings: testServer('shareable'), deps }),
      await connect({ settings: testServer('features'), deps }),
    ]
    process.kill(dead.link.pid ?? 0, 'SIGSTOP')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const listener of listeners) listener()
    // Requests are read in order: the ping before this one has been answered.
    await alive.link.request('tools/list', {})
    await vi.advanceTimersByTimeAsync(200)
    await expect.poll(() => dead.heard.lost).toHaveLength(1)
    expect(alive.heard.lost).toEqual([])
    vi.useRealTimers()
    await alive.link.close()
    await dead.link.close()
    expect(listeners.size).toBe(0)
  })
})

describe('a server that fails again and again', () => {
  const optionsFor = (settings: ServerSettings, lost: Error[] = []): OpenLinkOptions => ({
    serverId: 's',
    settings,
    client: legacyClient,
    events: {
      onNotification: () => {},
      onRequest: () => Promise.reject(new Error('No.')),
      onLost: (error) => lost.push(error),
    },
  })

  test('is given pauses that grow, are drawn, and end with a changed launch or when somebody wants it now', async () => {
    const time = { now: 0 }
    const backOff = createBackOff({ clock: () => time.now, random: () => 0.5 })
    const open = backOff.watch(createOpenLink({ ...defaultDependencies, endSteps }))
    const wrong = optionsFor({ command: 'no-such-program-here' })
    const pauses: (number | undefined)[] = []
    for (let n = 0; n < 9; n++) {
      await expect(open(wrong)).rejects.toThrow(/no-such-program-here/)
      pauses.push(backOff.pauseOf('s'))
      time.now += pauses.at(-1) ?? 0
    }
    expect(pauses).toEqual([undefined, 750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000])
    time.now -= 10_000
    await expect(open(wrong)).rejects.toMatchObject({
      message: expect.stringMatching(
        /failed 9 times in a row and is not tried again for 10 s\. The last time: .*no-such/,
      ),
      data: { unquoted: expect.stringMatching(/^Server "s" failed 9 times/) },
    })
    await expect(open(optionsFor({ command: 'another-wrong-one' }))).rejects.toThrow(/another-wrong-one/)
    backOff.forget('other')
    await expect(open(wrong)).rejects.toThrow(/not tried again/)
    backOff.forget('s')
    expect(backOff.pauseOf('s')).toBeUndefined()
    await expect(open(wrong)).rejects.toThrow(/^Server "s" is not available/)
  })

  test('also where it dies on what it is first asked', async () => {
    let reads = 0
    const backOff = createBackOff({ clock: () => ++reads, random: () => 1 })
    const open = backOff.watch(createOpenLink({ ...defaultDependencies, endSteps }))
    for (let n = 0; n < 2; n++) {
      const lost: Error[] = []
      const link = await open(optionsFor(testServer('shareable'), lost))
      await call(link, 'exit').catch(() => {})
      await waitFor(() => expect(lost).toHaveLength(1))
      await link.close()
    }
    expect(backOff.pauseOf('s')).toBeGreaterThan(100)
    backOff.forget()
    // Several sessions whose processes die together count as one failure.
    const all = Array.from({ length: 4 }, () => open(optionsFor({ command: 'no-such-program-here' })))
    for (const each of await Promise.allSettled(all)) expect(each.status).toBe('rejected')
    expect(backOff.pauseOf('s')).toBeUndefined()
    const link = await open(optionsFor({ ...testServer('shareable'), cwd: '/' }))
    await link.close()
  })

  test('says when it is tried again', async () => {
    // Its pause isn't over while this process stalls.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const world = await engineWorld(
      { s: { command: 'no-such-program-here' } },
      { approvals: { firstSight: 'trust' } },
    )
    const before = Date.now()
    for (let n = 0; n < 2; n++) await expect(world.connect()).rejects.toThrow(/no-such-program-here/)
    const { state, retryAt = 0 } = world.engine.serverStates.of('s')
    expect(state).toBe('failed')
    expect(retryAt).toBeGreaterThan(before)
    world.engine.wake()
    expect(world.engine.serverStates.of('s').retryAt).toBeUndefined()
  })
})

test('time-outs are the server’s or the tool’s own, and progress resets them', async () => {
  const s = { ...testServer('shareable'), timeoutSeconds: 1 }
  // Practically never, and beyond a timer's maximum.
  const never = { timeoutSeconds: 9_999_999 }
  const servers = { s, patient: { ...s, tools: { slow: never, a: { timeoutSeconds: 0.1 } } } }
  const world = await engineWorld(servers, { approvals: { firstSight: 'trust' } })
  const { client, call: callTool } = await world.connect()
  const slow = { name: 'slow', arguments: { name: 'done', steps: 60 } }
  await expect(callTool('slow', { ...slow.arguments, steps: 60_000 })).rejects.toThrow(
    'The tool "slow" of server "s" gave no answer and no progress for 1 s, so the call was cancelled (servers.s.timeoutSeconds in config.json). It may have been carried out; look before repeating it. Raise servers.s.timeoutSeconds, or set servers.s.tools.slow.timeoutSeconds for this tool alone, if it needs longer.',
  )
  // Time passes only between two notifications, and none is sent before the last was heard: a busy machine makes none late.
  const gate = join(world.folder, 'gate')
  writeFileSync(gate, '')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const onprogress = vi.fn(() => {
      vi.advanceTimersByTime(900)
      appendFileSync(gate, '.')
    })
    const gated = { name: 'slow', arguments: { name: 'done', steps: 8, gate } }
    expect(textOf(await client.callTool(gated, { onprogress }))).toBe('done')
    expect(onprogress).toHaveBeenCalledTimes(8)
  } finally {
    vi.useRealTimers()
  }
  const patient = await world.connect({ scope: { kind: 'server', serverId: 'patient' } })
  expect(await patient.call('slow', slow.arguments)).toBe('done')
})
