import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeableServer, simpleTool } from '../../helpers/changeable-server.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { holdLock } from '../../helpers/held-lock.ts'
import { rawSession } from '../../helpers/raw-session.ts'

test('a change first seen while pins.db was locked waits once it can be written, and the user is told, without another request', async () => {
  const { server, offer } = changeableServer([simpleTool('one')])
  const { engine, dataDir, approveAll } = await engineWorld({ s: server })
  const first = rawSession(engine.openSession)
  await first.introduce()
  approveAll()
  await first.close()

  const told: string[] = []
  engine.events.on('approval-needed', ({ summary }) => void told.push(summary))
  const lock = await holdLock(join(dataDir, 'pins.db'))
  offer([{ ...simpleTool('one'), description: 'Other words.' }], { silent: true })
  const session = rawSession(engine.openSession)
  await session.introduce()
  expect(engine.approvals.store?.pending()).toEqual([])
  await lock.release()
  await expect
    .poll(() => engine.approvals.store?.pending().map(({ name, change }) => [name, change]))
    .toEqual([['one', 'changed']])
  expect(told).toEqual(['Server "s": 1 tool is changed (one).'])
  await session.close()
})
