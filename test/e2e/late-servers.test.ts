import { expect, test, vi } from 'vitest'
import { engineWorld } from '../helpers/engine-world.ts'
import { testServer } from '../helpers/upstream.ts'

/** Real server processes that hang, or take long to start, beside one that does neither. */

test('a server that hangs at its start holds up no list, and one that is late joins it', async () => {
  const world = await engineWorld(
    {
      good: testServer('misbehaving'),
      hangs: { ...testServer('misbehaving', '--silent'), startTimeoutSeconds: 6 },
      late: testServer('features', '--era', 'legacy', '--start-delay', '6000'),
    },
    { approvals: { firstSight: 'trust' } },
  )
  const roof = await world.connect({ scope: { kind: 'all' } })
  const first = await roof.names()
  // A hanging server once held up everybody for ten seconds: then the late one would be in this list.
  expect(first).toContain('good__echo')
  expect(first.filter((name) => name.startsWith('hangs__') || name.startsWith('late__'))).toEqual([])
  expect(roof.client.getInstructions()).toContain('# hangs\nNot available: It has not started yet.')
  expect(await roof.call('good__echo', { text: 'meanwhile' })).toBe('meanwhile')

  await vi.waitFor(() => expect(roof.heard()).toBeGreaterThan(0), { timeout: 20_000, interval: 100 })
  await vi.waitFor(async () => expect(await roof.names()).toContain('late__echo'), {
    timeout: 20_000,
    interval: 200,
  })

  const alone = world.connect({ scope: { kind: 'server', serverId: 'hangs' } })
  await expect(alone).rejects.toThrow(/did not introduce itself within 6 s \("startTimeoutSeconds"\)/)
}, 60_000)
