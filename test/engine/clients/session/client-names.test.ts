import { expect, test } from 'vitest'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { testServer } from '../../../helpers/upstream.ts'
import { createClientNames } from '../../../../electron/engine/clients/session/client-names.ts'

test('a name that wrapping gave is nobody else’s, from the first moment on', () => {
  const names = createClientNames(() => ['cursor'])
  expect([names.ofItself('cursor'), names.ofItself('zed')]).toEqual(['cursor (not wrapped)', 'zed'])
  names.isNamed('zed')
  expect(names.ofItself('zed')).toBe('zed (not wrapped)')
})

test('a client that calls itself like a wrapped one does not read its results; the wrapped one does, in its next session too', async () => {
  const { connect } = await engineWorld(
    { s: testServer('big-result') },
    { approvals: { firstSight: 'trust' } },
  )
  const wrapped = await connect({ wrappedAs: 'cursor', name: 'cursor-vscode' })
  const text = await wrapped.call('log', { bytes: 60_000 })
  const id = /r_\w{6,}/.exec(text)?.[0]
  expect(id).toBeDefined()
  const isRead = async ({ client }: typeof wrapped): Promise<boolean> =>
    (await client.callTool({ name: 'proxy_read', arguments: { id } })).isError !== true
  expect(await isRead(await connect({ name: 'cursor' }))).toBe(false)
  expect(await isRead(wrapped)).toBe(true)
  await wrapped.close()
  expect(await isRead(await connect({ name: 'cursor', era: 'modern' }))).toBe(false)
  expect(await isRead(await connect({ wrappedAs: 'cursor' }))).toBe(true)
})

test('clients that no wrapping named keep their own names', async () => {
  const { engine, connect } = await engineWorld(
    { s: testServer('big-result') },
    { approvals: { firstSight: 'trust' } },
  )
  const { call } = await connect({ name: 'my-agent' })
  await call('echo', { text: 'x' })
  await expect.poll(async () => (await engine.ledger.recentCalls(1))[0]?.client).toBe('my-agent')
})
