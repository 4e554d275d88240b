import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClientHello, Era } from '../../../electron/engine/protocol/era.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import type { FeaturesHttp } from '../../fixtures/servers/features-http.ts'
import { startFeaturesHttp } from '../../fixtures/servers/features-http.ts'
import { call, testLinks } from '../../helpers/test-links.ts'
import type { TestLinkOptions } from '../../helpers/upstream.ts'
import { legacyClient, modernClient, testServer, textOf } from '../../helpers/upstream.ts'

const connect = testLinks()
const servers: Record<'both' | 'legacy' | 'modern', FeaturesHttp> = {} as never

beforeAll(async () => {
  for (const eras of ['both', 'legacy', 'modern'] as const) servers[eras] = await startFeaturesHttp({ eras })
})
afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.close()))
})

const clients: Record<Era, ClientHello> = { legacy: legacyClient, modern: modernClient }
const places: [string, () => TestLinkOptions['settings'], Era[]][] = [
  ['stdio, both eras', () => testServer('features'), ['legacy', 'modern']],
  ['stdio, legacy only', () => testServer('features', '--era', 'legacy'), ['legacy']],
  ['stdio, modern only', () => testServer('features', '--era', 'modern'), ['modern']],
  ['http, both eras', () => ({ url: `${servers.both.url}/mcp` }), ['legacy', 'modern']],
  ['http, legacy only', () => ({ url: `${servers.legacy.url}/mcp` }), ['legacy']],
  ['http, modern only', () => ({ url: `${servers.modern.url}/mcp` }), ['modern']],
  ['sse', () => ({ url: `${servers.both.url}/sse`, type: 'sse' }), ['legacy']],
  ['sse, not announced', () => ({ url: `${servers.both.url}/sse` }), ['legacy']],
]

describe.each(places)('%s', (_name, settings, eras) => {
  test.each(['legacy', 'modern'] as const)('a %s client lists, calls and hears of progress', async (era) => {
    const { link } = await connect({ settings: settings(), client: clients[era] })
    expect(link.hello.era).toBe(eras.includes(era) ? era : eras[0])
    expect(link.hello.serverInfo).toMatchObject({ name: 'features', version: '1.2.3' })
    expect(link.hello.instructions).toMatch(/^Call echo first/)
    const { tools } = await link.request('tools/list', undefined)
    expect(tools).toHaveLength(15)
    expect(textOf(await call(link, 'echo', { text: 'hällo' }))).toBe('hällo')
    const progress: JsonObject[] = []
    await link.request(
      'tools/call',
      { name: 'progress', arguments: { steps: 3 } },
      { onProgress: (params) => progress.push(params) },
    )
    expect(progress[0]).toMatchObject({ progress: 1, total: 3, message: 'step 1' })
  })
})
