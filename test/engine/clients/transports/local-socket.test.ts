import { link, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import type { LocalSocket } from '../../../../electron/engine/clients/transports/local-socket.ts'
import { listenLocalSocket } from '../../../../electron/engine/clients/transports/local-socket.ts'
import { findSocketAddress } from '../../../../electron/engine/clients/transports/socket-address.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { echoSessions } from './echo-session.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sluice-socket-'))
  cleanups.push(() => rm(path, { recursive: true, force: true }))
  return path
}

async function listening(dataDir: string) {
  const { openSession, sessions } = echoSessions()
  const place = { dataDir, tempDir: tmpdir(), platform: process.platform }
  const socket = await listenLocalSocket({
    ...place,
    openSession,
    logger: silentLogger,
    maxMessageBytes: 60_000_000,
  })
  cleanups.push(() => socket.close())
  return { socket, sessions, place }
}

async function dial(socket: LocalSocket) {
  const client = connect(socket.path)
  cleanups.push(() => client.destroy())
  const lines = createInterface({ input: client })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    return done ? 'end' : JSON.parse(value)
  }
  return {
    client,
    next,
    type: (value: unknown) => client.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`),
  }
}

const hello = {
  sluice: 1,
  scope: { kind: 'server', serverId: 'files' },
  client: { name: 'claude', cwd: '/x', env: { A: 'b' } },
}
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

describe.skipIf(process.platform === 'win32')('listenLocalSocket', () => {
  it('is open to nobody else', async () => {
    const { socket } = await listening(join(await folder(), 'data'))
    expect((await stat(socket.path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(socket.path))).mode & 0o777).toBe(0o700)
  })

  it('takes a hello, welcomes, and then speaks MCP, even when all came in one piece', async () => {
    const { socket, sessions } = await listening(await folder())
    const { next, client } = await dial(socket)
    client.write(`${JSON.stringify(hello)}\n${JSON.stringify(ping(1))}\n${JSON.stringify(ping(2))}\n`)
    expect(await next()).toEqual({ sluice: 1, ok: true })
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    expect(sessions[0]?.options).toMatchObject({ scope: hello.scope, client: hello.client })
    expect(socket.connections()).toBe(1)
  })

  it.each([
    ['no JSON', 'GET / HTTP/1.1'],
    ['another version', { ...hello, sluice: 2 }],
    ['an unknown scope', { ...hello, scope: { kind: 'everything' } }],
    ['a server id that is none', { ...hello, scope: { kind: 'server', serverId: 'a__b' } }],
  ])('refuses %s with a reason and hangs up', async (_, first) => {
    const { socket, sessions } = await listening(await folder())
    const { next, type } = await dial(socket)
    type(first)
    expect(await next()).toMatchObject({ ok: false, error: expect.stringContaining('first line') })
    expect(await next()).toBe('end')
    expect(sessions).toHaveLength(0)
  })

  it('ends the session when the client goes away, also in the middle of a call', async () => {
    const { socket, sessions } = await listening(await folder())
    const { next, type, client } = await dial(socket)
    type(hello)
    await next()
    type({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } })
    await expect.poll(() => sessions[0]?.requests.length).toBe(1)
    client.destroy()
    await expect.poll(() => sessions[0]?.ended.aborted).toBe(true)
    await expect.poll(() => socket.connections()).toBe(0)
  })

  it('finishes what is in flight for a client that only closed its side', async () => {
    const { socket } = await listening(await folder())
    const { next, type, client } = await dial(socket)
    type(hello)
    type({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { last: 'words' } },
    })
    client.end()
    expect(await next()).toMatchObject({ ok: true })
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: '{"last":"words"}' }] } })
    expect(await next()).toBe('end')
  })

  it('passes 50 MB messages in both directions', async () => {
    const { socket } = await listening(await folder())
    const { next, type } = await dial(socket)
    type(hello)
    await next()
    const text = 'ä'.repeat(25_000_000)
    type({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text } } })
    const answer = JSON.stringify(await next())
    expect(answer.length).toBeGreaterThan(25_000_000)
  })

  it('ends every session on close, and tells the clients', async () => {
    const { socket, sessions } = await listening(await folder())
    const first = await dial(socket)
    const silent = await dial(socket)
    first.type(hello)
    await first.next()
    first.type(ping(1))
    await first.next()
    await socket.close()
    expect(sessions[0]?.ended.aborted).toBe(true)
    expect(await first.next()).toBe('end')
    expect(await silent.next()).toBe('end')
    await expect(stat(socket.path)).rejects.toThrow('ENOENT')
  })

  it('replaces the socket file of a dead engine, but not the socket of a living one', async () => {
    const dataDir = await folder()
    await deadSocket(join(dataDir, 'run', 'engine.sock'))
    await listening(dataDir)
    await expect(listening(dataDir)).rejects.toMatchObject({
      code: 'ENGINE_RUNNING',
      message: expect.stringContaining('--data-dir'),
    })
  })

  it('lets one of several engines win that start at once over a dead socket', async () => {
    const dataDir = await folder()
    await deadSocket(join(dataDir, 'run', 'engine.sock'))
    const starts = await Promise.allSettled([1, 2, 3].map(() => listening(dataDir)))
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('moves to the temporary folder when the path is too long for a socket', async () => {
    const dataDir = join(await folder(), 'x'.repeat(120))
    const { socket, place } = await listening(dataDir)
    expect(Buffer.byteLength(socket.path)).toBeLessThan(104)
    expect(await readFile(join(dataDir, 'engine.socket-path'), 'utf8')).toBe(`${socket.path}\n`)
    expect(findSocketAddress({ ...place, tempDir: '/elsewhere' })).toBe(socket.path)
    const { next, type } = await dial(socket)
    type(hello)
    expect(await next()).toMatchObject({ ok: true })
  })

  it('leaves no folder behind among the temporary files, and engines that follow each other at once find theirs', async () => {
    const dataDir = join(await folder(), 'x'.repeat(120))
    let last = (await listening(dataDir)).socket
    const { path } = last
    for (let turn = 0; turn < 10; turn++) {
      const [next] = await Promise.all([afterIt(dataDir), last.close()])
      last = next
    }
    expect(last.path).toBe(path)
    await last.close()
    await expect(stat(dirname(path))).rejects.toThrow('ENOENT')
    // In the data folder, which belongs to the user, it stays.
    const own = await folder()
    const { socket } = await listening(own)
    await socket.close()
    expect((await stat(join(own, 'run'))).isDirectory()).toBe(true)
  })
})

/** As soon as the previous engine has released it. */
async function afterIt(dataDir: string): Promise<LocalSocket> {
  for (;;) {
    try {
      return (await listening(dataDir)).socket
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENGINE_RUNNING') throw error
    }
  }
}

/** A stale socket file, as after kill -9: bound elsewhere and moved, so that closing can't remove it. */
async function deadSocket(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${path}.born`, resolve))
  await link(`${path}.born`, path)
  await new Promise((resolve) => server.close(resolve))
}
