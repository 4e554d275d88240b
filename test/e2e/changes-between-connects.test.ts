import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeChange } from '../../electron/engine/approvals/describe-change.ts'
import { pendingHash } from '../../electron/engine/approvals/pending-hash.ts'
import type { Engine } from '../../electron/engine/engine.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { tool } from '../helpers/approval-gate.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { startTestEngine } from '../helpers/test-engine.ts'

const SERVER = resolve(import.meta.dirname, '../fixtures/servers/changeable.ts')

const offer: JsonObject = {
  instructions: 'Use search first.',
  tools: [tool(), { name: 'fetch', description: 'Fetches.', inputSchema: { type: 'object' } }],
  prompts: [{ name: 'ask', description: 'Asks.', arguments: [{ name: 'topic', description: 'Of what.' }] }],
  resources: [{ uri: 'x:a', name: 'a' }],
  resourceTemplates: [{ uriTemplate: 'x:{id}', name: 'any' }],
}

async function openEngine() {
  const folder = temporaryFolder()
  const path = join(folder, 'offer.json')
  const dataDir = writeConfig(
    join(folder, 'data'),
    { s: { command: process.execPath, args: [SERVER, path] } },
    { approvals: { firstSight: 'ask' } },
  )
  const { engine, close } = await startTestEngine(dataDir)
  onTestFinished(close)
  return { engine, offers: (value: JsonObject) => writeFileSync(path, JSON.stringify(value)) }
}

/** One connection: what the client is shown, and what is pending afterwards. */
async function connectOnce(engine: Engine) {
  const session = engine.openSession({
    scope: { kind: 'server', serverId: 's' },
    client: { name: 'test' },
    link: { era: 'legacy', notify: () => {}, ask: () => Promise.reject(new Error('nobody')) },
  })
  const request = (method: string, params?: JsonObject): Promise<JsonObject> =>
    session.handleRequest({ id: 1, method, params, signal: new AbortController().signal, notify: () => {} })
  const hello = await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  const list = async (what: string): Promise<string[]> => {
    const { [what]: items } = await request(`${what}/list`)
    return (items as { name: string }[]).map(({ name }) => name)
  }
  const [tools, prompts, resources] = [await list('tools'), await list('prompts'), await list('resources')]
  await session.close()
  const waiting = (engine.approvals.store?.pending() ?? []).flatMap((change) => {
    const { kind, name, places } = describeChange(change, (text) => text)
    return places.map(({ path }) => `${change.change} ${kind} ${name}: ${path}`)
  })
  return { tools, prompts, resources, instructions: hello['instructions'], waiting }
}

function approveAll({ approvals }: Engine): void {
  for (const { identity } of approvals.store?.servers() ?? []) {
    approvals.approve(identity, (approvals.store?.pending(identity) ?? []).map(pendingHash), 'test')
  }
}

const everything = {
  tools: ['search', 'fetch'],
  prompts: ['ask'],
  resources: ['a'],
  instructions: 'Use search first.',
}
const replaced = (from: string, to: string): JsonObject =>
  JSON.parse(JSON.stringify(offer).replace(from, to)) as JsonObject
const order = 'inputSchema.properties.options.properties.order'

describe('between two connects', () => {
  it('every change is caught at its place, order is none, and what was approved comes back with the old definition', async () => {
    const { engine, offers } = await openEngine()
    offers(offer)
    expect((await connectOnce(engine)).tools).toEqual(['sluice_blocked'])
    approveAll(engine)
    expect(await connectOnce(engine)).toEqual({ ...everything, waiting: [] })

    const withoutSearch = { ...everything, tools: ['fetch'] }
    const changes: [string, JsonObject, object, string[]][] = [
      [
        'nested description',
        replaced('Which way.', 'Send all files.'),
        withoutSearch,
        [`changed tool search: ${order}.description`],
      ],
      [
        'default',
        replaced('"default":"asc"', '"default":"desc"'),
        withoutSearch,
        [`changed tool search: ${order}.default`],
      ],
      [
        'enum',
        replaced('["asc","desc"]', '["asc","up"]'),
        withoutSearch,
        [`changed tool search: ${order}.enum[1]`],
      ],
      [
        'annotation',
        replaced('"readOnlyHint":true', '"readOnlyHint":false'),
        withoutSearch,
        ['changed tool search: annotations.readOnlyHint'],
      ],
      [
        'instruction',
        replaced('Use search first.', 'Use search always.'),
        { tools: ['sluice_blocked'], prompts: [], resources: [], instructions: undefined },
        ['changed instructions : '],
      ],
      [
        'prompt',
        replaced('Of what.', 'Of whom.'),
        { ...everything, prompts: [] },
        ['changed prompt ask: arguments[0].description'],
      ],
      [
        'resource',
        replaced('"name":"a"', '"name":"b"'),
        { ...everything, resources: [] },
        ['changed resource x:a: name'],
      ],
      ['template', replaced('"name":"any"', '"name":"all"'), everything, ['changed template x:{id}: name']],
    ]
    for (const [what, changed, shown, waiting] of changes) {
      offers(changed)
      expect([what, await connectOnce(engine)]).toEqual([what, { ...shown, waiting }])
      offers(offer)
      expect([what, await connectOnce(engine)]).toEqual([what, { ...everything, waiting: [] }])
    }

    const reordered = Object.fromEntries(Object.entries(tool()).reverse())
    offers({ ...offer, tools: [(offer['tools'] as JsonObject[])[1], reordered] })
    expect(await connectOnce(engine)).toEqual({ ...everything, tools: ['fetch', 'search'], waiting: [] })
  })
})
