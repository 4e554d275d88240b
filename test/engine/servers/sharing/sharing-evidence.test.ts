import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENOUGH_CALLS, provesSharing } from '../../../../shared/api/sharing.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { testServer } from '../../../helpers/upstream.ts'

const SETTINGS = { approvals: { firstSight: 'trust' }, cache: { enabled: false } }

test('a server that treats all clients alike proves it with calls side by side; one client proves nothing', async () => {
  const { engine, connect } = await engineWorld({ s: testServer('features') }, SETTINGS)
  const one = await connect()
  expect(await one.call('echo', { text: 'alone' })).toBe('alone')
  expect(engine.sharing.of('s')).toBeUndefined()
  const two = await connect()
  for (let n = 0; n < ENOUGH_CALLS / 2; n++)
    for (const { call } of [one, two]) expect(await call('echo', { text: `hi ${n}` })).toBe(`hi ${n}`)
  const evidence = engine.sharing.of('s')
  expect(evidence).toEqual({ calls: ENOUGH_CALLS, atOnce: 2, obstacles: [] })
  expect(evidence && provesSharing(evidence)).toBe(true)
})

test('requests of the server for folders, and outside any call, speak against it', async () => {
  const { engine, connect } = await engineWorld({ s: testServer('shareable') }, SETTINGS)
  const clients = [
    await connect({ capabilities: { roots: {} } }),
    await connect({ capabilities: { roots: {} } }),
  ]
  for (const { call } of clients) await call('state')
  await expect.poll(() => engine.sharing.of('s')?.obstacles).toEqual([{ what: 'folders', times: 2 }])
})

test('answers that depend on the client speak against it, unless they change for one client, too', async () => {
  const file = join(temporaryFolder(), 'calls')
  const { engine, connect } = await engineWorld({ s: testServer('reading', file) }, SETTINGS)
  const [one, two] = [await connect(), await connect()]
  await Promise.all([one.names(), two.names()])
  // Each answer names the number of the call in its process.
  await one.call('read', { what: 'a' })
  await two.call('read', { what: 'b' })
  await two.call('read', { what: 'a' })
  expect(engine.sharing.of('s')?.obstacles).toEqual([{ what: 'answers', times: 1 }])
  await two.call('read', { what: 'a' })
  expect(engine.sharing.of('s')?.obstacles).toEqual([])
})
