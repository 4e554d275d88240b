import { expect, it, onTestFinished } from 'vitest'
import type { ServerSettings } from '../../../../shared/settings.ts'
import { readOffer } from '../../../../electron/engine/clients/session/read-offer.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { FirstStarts } from '../../../../electron/engine/servers/lazy/first-starts.ts'
import { createOfferMemory } from '../../../../electron/engine/servers/lazy/offer-memory.ts'
import { startWhenUsed } from '../../../../electron/engine/servers/lazy/start-when-used.ts'
import { createOpenLink } from '../../../../electron/engine/servers/open-link.ts'
import { changeableServer, simpleTool } from '../../../helpers/changeable-server.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { defaultDependencies, legacyClient } from '../../../helpers/upstream.ts'

it.each([
  ['three of them start it', 3, {}],
  ['one starts it where its settings say so', 1, { start: 'when-used' }],
  ['each starts its own where its settings say so', 8, { start: 'with-client' }],
] as const)('for eight clients that come at once: %s', async (_what, processes, settings) => {
  const { server } = changeableServer([simpleTool('search')], { instructions: 'Use search first.' })
  const openLink = startWhenUsed(createOpenLink(defaultDependencies), {
    memory: createOfferMemory({ folder: temporaryFolder(), logger: silentLogger }),
    logger: silentLogger,
    folderOf: () => undefined,
    // Longer than a test takes.
    firstStarts: new FirstStarts(240_000),
  })
  const connect = async (own: ServerSettings) => {
    const events = { onNotification: () => {}, onRequest: () => Promise.resolve({}), onLost: () => {} }
    const link = await openLink({ serverId: 's', settings: own, client: legacyClient, events })
    onTestFinished(() => link.close())
    // As a session does before it answers its client.
    return { link, offer: await readOffer(link) }
  }
  const clients = await Promise.all(Array.from({ length: 8 }, () => connect({ ...server, ...settings })))
  expect(clients.filter(({ link }) => link.pid !== undefined)).toHaveLength(processes)
  expect(new Set(clients.map(({ link }) => link.hello.instructions))).toEqual(new Set(['Use search first.']))
  expect(new Set(clients.map(({ offer }) => JSON.stringify(offer))).size).toBe(1)
  await Promise.all(clients.map(({ link }) => link.request('tools/call', { name: 'search', arguments: {} })))
  expect(new Set(clients.map(({ link }) => link.pid)).size).toBe(8)
})
