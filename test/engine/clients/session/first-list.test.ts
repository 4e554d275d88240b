import { expect, test } from 'vitest'
import { changeableServer, simpleTool } from '../../../helpers/changeable-server.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'

test('of all servers the first list is what they said at the connection; after it, or after a call, they are asked', async () => {
  const both = [simpleTool('one'), simpleTool('two')]
  const { offer, server } = changeableServer(both, { silent: true })
  // A read list is valid for five seconds; a busy machine may need that to start two servers.
  const began = Date.now()
  const { connect } = await engineWorld(
    { s: server },
    { approvals: { firstSight: 'trust' } },
    { now: () => began },
  )
  const listed = async ({ names }: Awaited<ReturnType<typeof connect>>): Promise<string[]> =>
    (await names()).filter((name) => name.startsWith('s__'))

  const lists = await connect({ scope: { kind: 'all' } })
  const calls = await connect({ scope: { kind: 'all' } })
  offer([simpleTool('one')], { silent: true })
  expect(await listed(lists)).toEqual(['s__one', 's__two'])
  expect(await listed(lists)).toEqual(['s__one'])

  expect(await calls.call('s__one')).toBe('called one')
  expect(await listed(calls)).toEqual(['s__one'])
})
