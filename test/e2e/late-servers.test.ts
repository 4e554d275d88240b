import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { briefGrace } from '../helpers/brief-grace.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** Real servers that hang or start slowly, beside one that does neither. */

test('a server that hangs at its start holds up no list, and one that is late joins it', async () => {
  const gate = join(temporaryFolder(), 'gate')
  const world = await engineWorld(
    {
      good: testServer('misbehaving'),
      hangs: { ...testServer('misbehaving', '--silent'), startTimeoutSeconds: 200 },
      late: { ...testServer('features', '--era', 'legacy', '--start-at', gate), startTimeoutSeconds: 200 },
    },
    { approvals: { firstSight: 'trust' } },
    { startGrace: () => briefGrace() },
  )
  const roof = await world.connect({ scope: { kind: 'all' } })
  const first = await roof.names()
  // Formerly a hanging server delayed everything by ten seconds: then the late one would be listed.
  expect(first).toContain('good__echo')
  expect(first.filter((name) => name.startsWith('hangs__') || name.startsWith('late__'))).toEqual([])
  expect(roof.client.getInstructions()).toContain('# hangs\nNot available: It has not started yet.')
  expect(await roof.call('good__echo', { text: 'meanwhile' })).toBe('meanwhile')

  writeFileSync(gate, '')
  await waitFor(() => expect(roof.heard()).toBeGreaterThan(0), 100)
  await waitFor(async () => expect(await roof.names()).toContain('late__echo'), 200)
})

test('a client of a server that hangs hears how long it was waited for', async () => {
  const { connect } = await engineWorld({
    s: { ...testServer('misbehaving', '--silent'), startTimeoutSeconds: 1 },
  })
  await expect(connect()).rejects.toThrow(/did not introduce itself within 1 s \("startTimeoutSeconds"\)/)
})

test('a call of a tool that is in no list hears what is the matter with its server', async () => {
  const world = await engineWorld(
    {
      good: testServer('misbehaving'),
      hangs: { ...testServer('misbehaving', '--silent'), startTimeoutSeconds: 200 },
      broken: testServer('misbehaving', '--fail-start'),
      absent: { command: 'no-such-program-anywhere' },
      off: { ...testServer('misbehaving'), disabled: true },
    },
    undefined,
    { startGrace: () => briefGrace(3) },
  )
  const roof = await world.connect({ scope: { kind: 'all' } })
  expect(await roof.call('good__echo', { text: 'early' })).toMatch(/"good".*not.*approved/s)
  expect(await roof.call('hangs__echo')).toMatch(/"hangs" .*has not started yet.*again/s)
  const broken = await roof.call('broken__echo')
  expect(broken).toMatch(/^Server "broken" is not available: it exited with code 7/s)
  // Its own, unapproved words.
  expect(broken).not.toContain('cannot find the database')
  expect(await roof.call('absent__echo')).toMatch(/"absent" .*no-such-program-anywhere.*PATH/s)
  expect(await roof.call('off__echo')).toMatch(/"off" is disabled in config\.json/)
  await expect(roof.call('nobody__echo')).rejects.toThrow('Unknown tool: nobody__echo.')

  world.approveAll()
  await waitFor(async () => expect(await roof.call('good__echo', { text: 'now' })).toBe('now'))
  await expect(roof.call('good__none')).rejects.toThrow('Unknown tool: good__none.')
})
