import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { testServer } from '../../../helpers/upstream.ts'

const ends: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof engineWorld>>
let url: string
let folder: string
beforeAll(async () => {
  folder = temporaryFolder((end) => ends.push(end))
  world = await engineWorld(
    { one: testServer('reading'), two: testServer('reading') },
    {
      approvals: { firstSight: 'trust' },
      profiles: {
        work: { servers: ['one'] },
        home: { servers: ['two'], clients: ['editor'] },
        shop: { servers: ['one', 'two'], folders: [folder] },
      },
    },
    { whenDone: (end) => ends.push(end) },
  )
  url = (await world.engine.listen({ port: 0 })).url
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Ids of the servers whose tools a client lists. */
const serversOf = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => /^(one|two)__/.exec(name)?.[1] ?? [])),
]
const set = (key: string, value: unknown): void =>
  world.engine.settings.update([{ path: key.split('.'), value }])

describe.each(['legacy', 'modern'] as const)('a client of %s', (era) => {
  const all = async (profile?: string, more: { name?: string; cwd?: string } = {}) =>
    world.connect({ scope: { kind: 'all', ...(profile === undefined ? {} : { profile }) }, era, ...more })

  test('lists and calls the servers of the profile that it asks for, and no others', async () => {
    const { names, call } = await all('work')
    expect(serversOf(await names())).toEqual(['one'])
    expect(await call('one__read')).toContain('at first')
    expect(await call('two__read')).not.toContain('at first')
    expect(serversOf(await (await all()).names())).toEqual(['one', 'two'])
  })

  test('has that of its folder or its name without asking, and else the one in use', async () => {
    expect(serversOf(await (await all(undefined, { name: 'editor' })).names())).toEqual(['two'])
    const inFolder = { name: 'editor', cwd: folder }
    expect(serversOf(await (await all(undefined, inFolder)).names())).toEqual(['one', 'two'])
    expect(serversOf(await (await all('work', inFolder)).names())).toEqual(['one'])
    const other = await all()
    expect(serversOf(await other.names())).toEqual(['one', 'two'])
    // Switched while it is connected.
    const before = other.heard()
    set('profile', 'work')
    if (era === 'legacy') await expect.poll(other.heard).toBeGreaterThan(before)
    expect(serversOf(await other.names())).toEqual(['one'])
    expect(await other.call('two__read')).not.toContain('at first')
    set('profile', undefined)
    expect(serversOf(await other.names())).toEqual(['one', 'two'])
  })
})

test('/mcp/p/NAME lists the servers of a profile, and a name that there is not is refused', async () => {
  const token = readFileSync(join(world.dataDir, 'token'), 'utf8').trim()
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const at = (path: string) => new StreamableHTTPClientTransport(new URL(path, url), { requestInit })
  const client = new Client({ name: 'http', version: '1' })
  await client.connect(at('/mcp/p/home'))
  ends.push(() => client.close())
  expect(serversOf((await client.listTools()).tools.map(({ name }) => name))).toEqual(['two'])
  const missing = new Client({ name: 'http', version: '1' })
  await expect(missing.connect(at('/mcp/p/none'))).rejects.toThrow(
    /There is no profile .{0,2}none.*work, home, shop/,
  )
})
