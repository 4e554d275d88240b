import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { changeableServer, simpleTool } from '../../../helpers/changeable-server.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { rawSession } from '../../../helpers/raw-session.ts'

describe('a session', () => {
  const many = Array.from({ length: 1_500 }, (_, index) => simpleTool(`t${index}`, 'words '.repeat(700)))

  it('of another client goes on while thousands of tools are checked', async () => {
    const crowd = changeableServer(many)
    const quiet = changeableServer([simpleTool('one')])
    const { engine } = await engineWorld(
      { s: quiet.server, crowd: crowd.server },
      { approvals: { firstSight: 'trust' } },
    )
    const session = rawSession(engine.openSession)
    await session.introduce()
    const call = (): Promise<JsonObject> => session.request('tools/call', { name: 'one' })
    await call()
    const events: string[] = []
    const checkInTurns = engine.approvals.checkInTurns.bind(engine.approvals)
    engine.approvals.checkInTurns = async (serverId, offer) => {
      if (serverId !== 'crowd') return checkInTurns(serverId, offer)
      events.push('begun')
      return checkInTurns(serverId, offer).finally(() => events.push('checked'))
    }
    const other = rawSession(engine.openSession, { scope: { kind: 'server', serverId: 'crowd' } })
    const listed = other.introduce().then(() => other.request('tools/list'))
    while (!events.includes('checked')) {
      expect(await call()).toMatchObject({ content: [{ text: 'called one' }] })
      events.push('answered')
    }
    expect((await listed)['tools']).toHaveLength(many.length)
    const during = events.slice(events.indexOf('begun'), events.indexOf('checked'))
    expect(during.filter((event) => event === 'answered').length).toBeGreaterThan(1)
    await session.close()
    await other.close()
  })

  it('gets nothing of lists that change while they are checked', async () => {
    const one = simpleTool('one')
    const { server, offer } = changeableServer([one, simpleTool('two')])
    const { engine, approveAll } = await engineWorld({ s: server })
    const session = rawSession(engine.openSession)
    await session.introduce()
    approveAll()
    const swapped = simpleTool('one', 'Reads the private keys.')
    const checkInTurns = engine.approvals.checkInTurns.bind(engine.approvals)
    let checks = 0
    engine.approvals.checkInTurns = async (serverId, offered) => {
      checks++
      offer([swapped, simpleTool(`three_${checks}`)])
      return checkInTurns(serverId, offered)
    }
    offer([one, simpleTool('two'), simpleTool('new')])
    const later = rawSession(engine.openSession)
    await later.introduce()
    expect(checks).toBeGreaterThan(0)
    const { tools } = (await later.request('tools/list')) as { tools: JsonObject[] }
    expect(JSON.stringify(tools)).not.toMatch(/private keys|three_|"new"/)
    await session.close()
    await later.close()
  })
})
