import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { changeableServer, simpleTool } from '../../../helpers/changeable-server.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { rawSession } from '../../../helpers/raw-session.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

const routes = [
  ['one server', { kind: 'server', serverId: 's' }],
  ['all servers', { kind: 'all' }],
] as const
const asks = ['sampling/createMessage', 'elicitation/create', 'roots/list']
const tools = [simpleTool('one')]
const LOOKED_EVERY_MS = 300

test('a server that config.json has not is unknown, also where its name is a property of every object', async () => {
  const { connect } = await engineWorld({})
  for (const serverId of ['none', 'constructor'])
    await expect(connect({ scope: { kind: 'server', serverId } })).rejects.toThrow(
      `There is no server "${serverId}"`,
    )
})

describe.each(routes)('in front of %s', (_, scope) => {
  test('a server all of whose tools have changed says so, as its only tool', async () => {
    const { server, offer } = changeableServer(tools)
    const { connect, approveAll } = await engineWorld({ s: server })
    const first = await connect({ scope })
    await first.names()
    approveAll()
    const [one = ''] = await first.names()
    expect(one).toMatch(/one$/)
    offer([{ ...simpleTool('one'), description: 'Another.' }])
    const blocked = one.replace(/one$/, 'sluice_blocked')
    const names = async (): Promise<string[]> =>
      (await first.names()).filter((name) => !/^(?:proxy|quarantine)_/.test(name))
    await waitFor(async () => expect(await names()).toEqual([blocked]), LOOKED_EVERY_MS)
    expect(await first.call(blocked)).toMatch(
      /All tools of the server "s" .*sluice review s|Some of what the server "s"/,
    )
    approveAll()
    await waitFor(async () => expect(await names()).toEqual([one]), LOOKED_EVERY_MS)
    await first.close()
  })

  test('a server that is not approved asks its client for roots alone, and tells it nothing', async () => {
    const { server, offer, heard } = changeableServer(tools)
    const { engine, approveAll } = await engineWorld({ s: server })
    const session = rawSession(engine.openSession, {
      scope,
      capabilities: { sampling: {}, elicitation: {}, roots: {} },
      onAsk: (method) => (method === 'roots/list' ? { roots: [] } : { action: 'decline' }),
    })
    await session.introduce()
    await session.request('tools/list')
    const says = (round: string): void =>
      offer(tools, {
        silent: true,
        sends: [
          { method: 'notifications/message', params: { level: 'info', data: round } },
          { method: 'notifications/x/odd', params: { data: round } },
          { method: 'notifications/tools/list_changed', params: { _meta: { 'x/y': round } } },
          ...asks.map((method) => ({
            id: `${round} ${method}`,
            method,
            params: { message: round, messages: [] },
          })),
        ],
      })
    const answersOf = (round: string): JsonObject[] =>
      heard().filter(({ id }) => String(id).startsWith(round))

    says('blocked')
    await waitFor(() => expect(answersOf('blocked')).toHaveLength(3))
    expect(session.asked).toEqual(['roots/list'])
    const refused = answersOf('blocked').filter(({ error }) => error !== undefined)
    expect(refused.map(({ id }) => id)).toEqual(asks.slice(0, 2).map((method) => `blocked ${method}`))
    expect(JSON.stringify(refused)).toContain('is not approved')
    const listed = 'notifications/tools/list_changed'
    await waitFor(() => expect(session.told.map(({ method }) => method)).toContain(listed))
    expect(JSON.stringify(session.told)).not.toContain('blocked')

    approveAll()
    says('open')
    await waitFor(() => expect(answersOf('open')).toHaveLength(3))
    expect(session.asked.toSorted()).toEqual(['roots/list', ...asks].toSorted())
    expect(session.told.filter(({ params }) => params?.['data'] === 'open')).toHaveLength(2)
    // Messages are delivered in order: nothing of the first round is pending.
    expect(JSON.stringify(session.told)).not.toContain('blocked')
    await session.close()
  })

  test('what a restarted server sends before its offer is compared again reaches nobody', async () => {
    const { server, offer, heard } = changeableServer(tools)
    const { engine } = await engineWorld({ s: server }, { approvals: { firstSight: 'trust' } })
    const session = rawSession(engine.openSession, { scope, capabilities: { roots: {} }, onAsk: () => ({}) })
    await session.introduce()
    await session.request('tools/list')
    const unread = { silent: true, mute: ['tools/list'] }
    offer(tools, { ...unread, exits: true })
    await waitFor(() => expect(heard()).toEqual([{ id: 'exits' }]), LOOKED_EVERY_MS)
    const sends = [
      { method: 'notifications/message', params: { level: 'info', data: 'early' } },
      { id: 'early', method: 'roots/list' },
    ]
    await waitFor(() => {
      session.request('tools/call', { name: 'one' }).catch(() => {})
      offer(tools, { ...unread, sends })
      expect(heard().map(({ id }) => id)).toContain('early')
    }, LOOKED_EVERY_MS)
    expect(JSON.stringify(session.told)).not.toContain('early')
    await session.close()
  })

  test('each list that an approved server says has changed is told of', async () => {
    const { server, offer } = changeableServer(tools)
    const { engine } = await engineWorld({ s: server }, { approvals: { firstSight: 'trust' } })
    const session = rawSession(engine.openSession, { scope })
    await session.introduce()
    await session.request('tools/list')
    for (const list of ['tools', 'prompts', 'resources']) {
      session.told.length = 0
      const method = `notifications/${list}/list_changed`
      offer(tools, { silent: true, sends: [{ method }] })
      await waitFor(() => expect(session.told.map((each) => each.method)).toEqual([method]))
    }
    await session.close()
  })
})

test('an edited description is the same in front of one server and of all', async () => {
  const { server } = changeableServer(tools)
  const edited = { ...server, tools: { one: { description: 'In my own words.' } } }
  const { engine } = await engineWorld({ s: edited }, { approvals: { firstSight: 'trust' } })
  for (const [, scope] of routes) {
    const session = rawSession(engine.openSession, { scope })
    await session.introduce()
    const { tools: listed } = (await session.request('tools/list')) as { tools: JsonObject[] }
    expect(listed[0]).toMatchObject({ name: expect.stringMatching(/one$/), description: 'In my own words.' })
    await session.close()
  }
})
