import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { engineWorld } from '../../helpers/engine-world.ts'
import { leaseWorkers } from '../../helpers/lease-workers.ts'
import { testServer } from '../../helpers/upstream.ts'

test('what a list costs is in the ledger, also of a session that ended at once', async () => {
  // A closing session waits 1.5 s for a worker to count, and on a busy machine a worker starts later.
  await leaseWorkers().run('count-tokens', 'x')
  const { connect, dataDir, engine } = await engineWorld(
    { s: testServer('big-result') },
    { approvals: { firstSight: 'trust' }, toolList: { slim: true } },
  )
  const { names, close } = await connect()
  expect(await names()).toContain('echo')
  await close()
  await engine.close()
  const database = new DatabaseSync(join(dataDir, 'sluice.db'), { readOnly: true })
  onTestFinished(() => database.close())
  const booked = database.prepare('SELECT server, what, tokens FROM additions').all()
  expect(booked).toEqual([{ server: 's', what: 'tool definitions', tokens: expect.any(Number) as number }])
  expect(Number(booked[0]?.['tokens'])).toBeLessThan(0)
})
