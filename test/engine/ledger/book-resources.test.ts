import { expect, test } from 'vitest'
import { engineWorld } from '../../helpers/engine-world.ts'
import { runHere } from '../../helpers/run-here.ts'
import { testServer } from '../../helpers/upstream.ts'
import { waitFor } from '../../helpers/wait-for.ts'

test('a shortened resource counts with what is fetched back of it, in the report and in sluice stats', async () => {
  const { engine, dataDir, connect } = await engineWorld(
    { s: testServer('large-resource') },
    { approvals: { firstSight: 'trust' } },
  )
  const { client } = await connect({ name: 'reader' })
  const { contents } = await client.readResource({ uri: 'notes:large' })
  const text = JSON.stringify(contents)
  const [, id = ''] = /id: (r_[0-9a-f]+)/.exec(text) ?? []
  expect(id).not.toBe('')
  await client.readResource({ uri: 'notes:small' })
  const sluice = await connect({ name: 'reader', scope: { kind: 'sluice' } })
  expect(await sluice.call('proxy_read', { id })).toContain('Line 0 of')

  const report = () => engine.ledger.report({ from: 0, to: Date.now() + 1000 })
  const called = async () => (await report()).byTool.filter(({ calls }) => calls > 0)
  // The read and what was fetched of it are recorded one by one, after their answers.
  await waitFor(async () => {
    expect((await report()).totals.fetched).toBeGreaterThan(0)
    expect(await called()).not.toEqual([])
  })
  const { totals } = await report()
  const [row, ...others] = await called()
  expect(others).toEqual([])
  expect(row).toMatchObject({ server: 's', tool: 'resources/read', calls: 1 })
  expect(row?.before).toBeGreaterThan(20_000)
  expect(row?.after).toBeLessThan(2_000)
  expect(row?.fetched).toBe(totals.fetched)
  expect(row?.net).toBe((row?.before ?? 0) - (row?.after ?? 0) - (row?.fetched ?? 0))
  const [recorded] = await engine.ledger.recentCalls(5)
  expect(recorded).toMatchObject({ tool: 'resources/read', client: 'reader', outcome: 'ok', resultId: id })

  const { stdout } = await runHere(['stats', '--data-dir', dataDir])
  expect(stdout).toMatch(/^ *s +resources\/read +1 /m)
})

test('nothing is suggested for resources/read, which is no tool with settings', async () => {
  const { engine, connect } = await engineWorld(
    { s: testServer('large-resource') },
    { approvals: { firstSight: 'trust' } },
  )
  const { client } = await connect({ name: 'reader' })
  const sluice = await connect({ name: 'reader', scope: { kind: 'sluice' } })
  const text = JSON.stringify(await client.readResource({ uri: 'notes:large' }))
  const [, id = ''] = /id: (r_[0-9a-f]+)/.exec(text) ?? []
  await sluice.call('proxy_read', { id })
  const range = { from: 0, to: Date.now() + 1000 }
  await waitFor(async () => expect((await engine.ledger.report(range)).totals.fetched).toBeGreaterThan(0))
  expect(await engine.ledger.needs(range)).toEqual([])
})
