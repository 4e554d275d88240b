import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionScope } from '../../../../electron/engine/clients/transports/client-session.ts'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { engineWorld } from '../../../helpers/engine-world.ts'
import { rawSession } from '../../../helpers/raw-session.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { testServer } from '../../../helpers/upstream.ts'

type Era = 'legacy' | 'modern'
const one: SessionScope = { kind: 'server', serverId: 's' }
const all: SessionScope = { kind: 'all' }
/** One server's messages are translated on their way, so with both eras of both; lists of all are Sluice's own. */
const routes = (
  [
    ['legacy', 'legacy', one],
    ['legacy', 'modern', one],
    ['modern', 'legacy', one],
    ['modern', 'modern', one],
    ['legacy', 'modern', all],
    ['modern', 'legacy', all],
  ] as const
).map(([server, client, scope]) => ({ server, client, scope, to: scope.kind }))

/** A server that marks its messages, behind an engine. */
async function markedWorld(era: Era, firstSight: 'ask' | 'trust' = 'ask') {
  const path = join(temporaryFolder(), 'mark.json')
  const mark = (how: 'no' | 'all' | 'around', answers: JsonObject = {}): void =>
    writeFileSync(path, JSON.stringify({ mark: how, answers }))
  mark('no')
  const world = await engineWorld(
    { s: testServer('marked', path, '--era', era) },
    { approvals: { firstSight } },
  )
  return { ...world, mark }
}

/** Everything that one session receives from the server except call results. */
async function hear(
  { engine }: Awaited<ReturnType<typeof markedWorld>>,
  { client, scope }: { client: Era; scope: SessionScope },
): Promise<{ hello: JsonObject; lists: JsonObject[]; heard: string }> {
  const session = rawSession(engine.openSession, { scope, era: client })
  const hello = await session.introduce()
  const lists: JsonObject[] = []
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
    const page = await session.request(method)
    lists.push(page)
    if (page['nextCursor'] !== undefined)
      lists.push(await session.request(method, { cursor: page['nextCursor'] }))
  }
  const uri = scope.kind === 'all' ? 'sluice:s:x:a' : 'x:a'
  const others: [string, JsonObject?][] = [
    ['ping'],
    ['logging/setLevel', { level: 'error' }],
    ['resources/subscribe', { uri }],
    ['resources/unsubscribe', { uri }],
  ]
  const answers = await Promise.all(
    others.map((asked) => session.request(...asked).catch((error: Error) => error.message)),
  )
  await session.close()
  return { hello, lists, heard: JSON.stringify([hello, lists, answers, session.told]) }
}

const marksIn = (text: string): string[] => [...text.matchAll(/MARK [^"#]*/g)].map(([found]) => found.trim())

describe.each(routes)('a $server server, a $client client, in front of $to', ({ server, client, scope }) => {
  test('what an approved server says anew reaches nobody: neither around its lists nor in its introduction', async () => {
    const world = await markedWorld(server)
    await hear(world, { client, scope })
    world.approveAll()
    const before = await hear(world, { client, scope })
    for (const how of ['around', 'all'] as const) {
      world.mark(how)
      const { heard } = await hear(world, { client, scope })
      expect(marksIn(heard)).toEqual([])
    }
    world.mark('no')
    expect(await hear(world, { client, scope })).toEqual(before)
  })

  test('what was approved arrives, and nothing else does', async () => {
    const world = await markedWorld(server)
    world.mark('all')
    expect(marksIn((await hear(world, { client, scope })).heard)).toEqual([])
    world.approveAll()
    const { store } = world.engine.approvals
    const pinned = (store?.servers() ?? [])
      .flatMap(({ identity }) => store?.pinsOf(identity) ?? [])
      .map(({ definition }) => definition)
      .join()
    const { heard } = await hear(world, { client, scope })
    const found = marksIn(heard)
    expect(found.filter((mark) => !pinned.includes(mark))).toEqual([])
    expect(found.length).toBeGreaterThan(5)
  })
})
