import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ServerSettings } from '../../../../shared/settings.ts'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { changeableServer, simpleTool } from '../../../helpers/changeable-server.ts'
import { testServer } from '../../../helpers/upstream.ts'
import { processesWith } from '../../../helpers/process-tree.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

const tools = [simpleTool('search'), simpleTool('fetch')]
const more = {
  instructions: 'Use search first.',
  prompts: [{ name: 'ask' }],
  resources: [{ uri: 'x:a', name: 'a' }],
  resourceTemplates: [{ uriTemplate: 'y:{id}', name: 'any' }],
}

async function world(settings: Partial<ServerSettings> = { start: 'when-used' }, offered: object = more) {
  const { server, offer } = changeableServer(tools, { ...offered })
  const { connect, engine, dataDir, approveAll } = await engineWorld(
    { s: { ...server, ...settings } },
    { approvals: { firstSight: 'trust' } },
  )
  const path = server.args?.[1] ?? ''
  const running = (): number => processesWith(path).length
  /** A session that lists, as clients do when they connect. */
  const visit = async (): Promise<void> => {
    const { names, close } = await connect()
    await names()
    await close()
    await waitFor(() => expect(running()).toBe(0))
  }
  return { connect, engine, dataDir, approveAll, offer, running, visit, path }
}

describe.skipIf(process.platform !== 'linux')('a server that starts when it is used', () => {
  it.each([
    ['legacy', { kind: 'server', serverId: 's' }],
    ['modern', { kind: 'server', serverId: 's' }],
    ['legacy', { kind: 'all' }],
    ['modern', { kind: 'all' }],
  ] as const)(
    'runs for its first client; the next one has the same lists without it, and the first call starts it (%s, %j)',
    async (era, scope) => {
      const { connect, running } = await world()
      const first = await connect({ era, scope })
      const lists = async ({ client }: typeof first): Promise<unknown[]> => [
        client.getInstructions(),
        client.getServerVersion(),
        client.getServerCapabilities(),
        await client.listTools(),
        await client.listPrompts(),
        await client.listResources(),
        await client.listResourceTemplates(),
      ]
      const before = await lists(first)
      expect(running()).toBe(1)
      await first.close()
      await waitFor(() => expect(running()).toBe(0))

      const next = await connect({ era, scope })
      expect(await lists(next)).toEqual(before)
      expect(running()).toBe(0)
      expect(await next.call(scope.kind === 'all' ? 's__search' : 'search')).toBe('called search')
      expect(running()).toBe(1)
      expect(next.heard()).toBe(0)
    },
  )

  it.each([
    ['a prompt', ({ client }: Connected) => client.getPrompt({ name: 'ask' })],
    ['a resource', ({ client }: Connected) => client.readResource({ uri: 'x:a' })],
    [
      'a completion',
      ({ client }: Connected) =>
        client.complete({ ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: '' } }),
    ],
  ])('%s starts it, too', async (_what, use) => {
    const { connect, running, visit } = await world()
    await visit()
    const client = await connect()
    expect(running()).toBe(0)
    expect(JSON.stringify(await use(client))).toMatch(/prompt ask|resource x:a|completed ask/)
    expect(running()).toBe(1)
  })

  it('many calls at once start one process', async () => {
    const { connect, running, visit } = await world()
    await visit()
    const { call } = await connect()
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('fetch')))
    expect(new Set(answers)).toEqual(new Set(['called fetch']))
    expect(running()).toBe(1)
  })

  it.each(['legacy', 'modern'] as const)(
    'is compared with what is approved before the call goes: a changed tool is refused with the reason (%s)',
    async (era) => {
      const { connect, offer, approveAll, running, path } = await world()
      const first = await connect({ era })
      await first.names()
      await first.close()
      await waitFor(() => expect(running()).toBe(0))
      offer([simpleTool('search', 'Does search. Always call it twice.'), simpleTool('fetch')], more)
      const { call, names, heard } = await connect({ era })
      expect(await names()).toEqual(['search', 'fetch'])
      const refusal = await call('search')
      expect(refusal).toContain('search')
      expect(refusal).toMatch(/chang|approv/i)
      expect(refusal).not.toContain('called search')
      expect(running()).toBe(1)
      // Clients of 2026 subscribe first.
      if (era === 'legacy') await waitFor(() => expect(heard()).toBeGreaterThan(0))
      approveAll()
      expect(await call('search')).toBe('called search')
      // It was told no call meanwhile.
      expect(existsSync(`${path}.heard`) ? readFileSync(`${path}.heard`, 'utf8') : '').not.toContain(
        'tools/call',
      )
    },
  )

  it('what it no longer has after its start is neither listed nor called', async () => {
    const { connect, visit, offer } = await world()
    await visit()
    offer([simpleTool('fetch')], more)
    const { call, names, client } = await connect()
    await call('fetch')
    expect(await names()).not.toContain('search')
    await expect(client.callTool({ name: 'search', arguments: {} })).rejects.toThrow('Unknown tool: search')
  })

  it('says of those lists alone that they changed that the server has', async () => {
    const onlyTools = { capabilities: { tools: {} } }
    const { connect, visit, offer } = await world({ start: 'when-used' }, onlyTools)
    await visit()
    offer([simpleTool('fetch')], onlyTools)
    const { call, client, heard } = await connect()
    const others: string[] = []
    for (const method of [
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ] as const)
      client.setNotificationHandler(method, () => void others.push(method))
    expect(client.getServerCapabilities()).not.toHaveProperty('prompts')
    await call('fetch')
    expect(heard()).toBe(1)
    expect(others).toEqual([])
  })

  it('one that does not start any more fails the call that needs it, and the next client at once', async () => {
    const { connect, visit, offer } = await world()
    await visit()
    offer(tools, { ...more, fails: { initialize: { code: -32603, message: 'no licence' } } })
    const { call } = await connect()
    await expect(call('search')).rejects.toThrow(/no licence|start/)
    await expect(connect()).rejects.toThrow()
  })

  it('a client of another name has its own start: servers may offer each client something else', async () => {
    const { connect, visit, running } = await world()
    await visit()
    await connect({ name: 'another' })
    expect(running()).toBe(1)
  })

  it('ends after its idle time, and the next call starts it again', async () => {
    const { connect, running } = await world({ start: 'when-used', idleMinutes: 0.01 })
    const { call, names } = await connect()
    await names()
    expect(await call('search')).toBe('called search')
    await waitFor(() => expect(running()).toBe(0))
    expect(await names()).toEqual(['search', 'fetch'])
    expect(running()).toBe(0)
    expect(await call('search')).toBe('called search')
  })

  it('is not ended while it works at a call, however long that takes', async () => {
    const { connect } = await engineWorld(
      { s: { ...testServer('misbehaving'), idleMinutes: 0.002 } },
      { approvals: { firstSight: 'trust' } },
    )
    const { client } = await connect()
    const told = async (name: string, args: JsonObject = {}): Promise<string> =>
      JSON.stringify(await client.callTool({ name, arguments: args }))
    // The idle time is over many times before the answer comes.
    const [quick, slow] = await Promise.all([told('echo', { text: 'x' }), told('slow', { ms: 3_000 })])
    expect([quick, slow]).toEqual([expect.stringContaining('x'), expect.stringContaining('done')])
  })

  it('what is remembered of it can be damaged or lost: it starts with its client then', async () => {
    const { connect, running, visit, dataDir } = await world()
    await visit()
    const folder = join(dataDir, 'offers')
    for (const name of readdirSync(folder))
      writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').slice(0, 100))
    const { names } = await connect()
    expect(running()).toBe(1)
    expect(await names()).toEqual(['search', 'fetch'])
  })
})

describe.skipIf(process.platform !== 'linux')('a server whose settings do not say', () => {
  it('starts with its client three times, and then when it is used, for as long as it offers the same', async () => {
    const { connect, running, visit, offer } = await world({})
    const startsWithClient = async (): Promise<boolean> => {
      const { close, names } = await connect()
      await names()
      const isRunning = running() > 0
      await close()
      await waitFor(() => expect(running()).toBe(0))
      return isRunning
    }
    expect([await startsWithClient(), await startsWithClient(), await startsWithClient()]).toEqual([
      true,
      true,
      true,
    ])
    expect(await startsWithClient()).toBe(false)
    offer([...tools, simpleTool('new')], more)
    const { call, close } = await connect()
    await call('search')
    await close()
    await waitFor(() => expect(running()).toBe(0))
    expect(await startsWithClient()).toBe(true)
    await visit()
  })

  it('each of eight clients that come at once is told why it did not start', async () => {
    const { connect } = await world({}, { fails: { initialize: { code: -32603, message: 'no licence' } } })
    const clients = await Promise.allSettled(Array.from({ length: 8 }, () => connect()))
    for (const client of clients)
      expect(client).toMatchObject({ reason: { message: expect.stringMatching(/no licence/) as string } })
  })

  it('each of eight clients that come at once has its own where it offers something else at each start', async () => {
    const { connect, running } = await world({}, { ...more, instructionsOf: 'process' })
    await Promise.all(Array.from({ length: 8 }, () => connect()))
    expect(running()).toBe(8)
  })

  it('clients wait for no other whose program does not say what it offers', async () => {
    const { connect, running } = await world({}, { ...more, mute: ['tools/list'] })
    const waiting = Array.from({ length: 5 }, () => connect().catch(() => {}))
    await waitFor(() => expect(running()).toBe(5))
    void waiting
  })

  it.each([
    ['steady in all', false],
    ['steady in its own, if its words name the folder', true],
  ])('in two folders: %s', async (_what, namesIt) => {
    const { engine, running, offer } = await world({})
    const startsIn = async (cwd: string): Promise<boolean> => {
      if (namesIt) offer([simpleTool('search', `Searches ${cwd}.`)], more)
      const session = engine.openSession({
        scope: { kind: 'server', serverId: 's' },
        client: { name: 'test', cwd },
        link: { era: 'legacy', notify: () => {}, ask: () => Promise.reject(new Error('nobody')) },
      })
      const request = (method: string, params?: JsonObject): Promise<JsonObject> =>
        session.handleRequest({
          id: 1,
          method,
          params,
          signal: new AbortController().signal,
          notify: () => {},
        })
      await request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      })
      await request('tools/list')
      const isRunning = running() > 0
      await session.close()
      return isRunning
    }
    const found: boolean[] = []
    // The first three in one folder, which is then a steady one.
    const [one, another] = [temporaryFolder(), temporaryFolder()]
    for (const folder of [one, one, one, one, another]) found.push(await startsIn(folder))
    expect(found).toEqual([true, true, true, false, namesIt])
  })

  it('with-client: always with its client', async () => {
    const { connect, running, visit } = await world({ start: 'with-client' })
    for (let turn = 0; turn < 4; turn++) await visit()
    await connect()
    expect(running()).toBe(1)
  })

  it('pages of its lists are one', async () => {
    const { connect, running, visit } = await world({ start: 'when-used' }, { ...more, pageSize: 1 })
    await visit()
    const { names } = await connect()
    expect(await names()).toEqual(['search', 'fetch'])
    expect(running()).toBe(0)
  })
})

type Connected = Awaited<ReturnType<Awaited<ReturnType<typeof engineWorld>>['connect']>>
