import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import type { Era } from '../../../../electron/engine/protocol/era.ts'
import { createEraMemory } from '../../../../electron/engine/servers/era-memory.ts'
import { startFeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { legacyClient, modernClient, openTestLink, testServer, textOf } from '../../../helpers/upstream.ts'

async function open(options: TestLinkOptions) {
  const started = performance.now()
  const { link } = await openTestLink(options)
  const milliseconds = performance.now() - started
  return { link, milliseconds }
}

test('a server that stays silent to the probe is greeted the old way, and is not probed again', async () => {
  const eras = createEraMemory({
    path: join(temporaryFolder(onTestFinished), 'eras.json'),
    now: Date.now,
    logger: silentLogger,
  })
  const settings = testServer('misbehaving', '--deaf')
  const { link, milliseconds } = await open({ settings, client: modernClient, deps: { eras, probeMs: 300 } })
  expect(link.hello.era).toBe('legacy')
  expect(milliseconds).toBeGreaterThan(300)
  await link.close()
  // A probe would exceed its time.
  const hasty = { eras, probeMs: 300_000, startMs: 100_000 }
  const again = await open({ settings, client: modernClient, deps: hasty })
  expect(again.link.hello.era).toBe('legacy')
  await again.link.close()
})

test('a server that ends when it is probed is started again and greeted the old way', async () => {
  const settings = testServer('misbehaving', '--strict')
  const { link } = await open({ settings, client: modernClient })
  expect(link.hello.era).toBe('legacy')
  const params = { name: 'echo', arguments: { text: 'alive' } }
  expect(textOf(await link.request('tools/call', params))).toBe('alive')
  await link.close()
})

test('what a server turned out to speak is remembered by launch and by the era of the client', async () => {
  const server = await startFeaturesHttp({ eras: 'legacy' })
  const eras = new Map<string, Era>()
  const connect = async (client: TestLinkOptions['client'] & {}): Promise<number> => {
    const before = server.requests.length
    const { link } = await open({ settings: { url: `${server.url}/mcp` }, client, deps: { eras } })
    const posts = server.requests.slice(before).filter((request) => request === 'POST /mcp').length
    await link.close()
    return posts
  }
  // Probe, initialize, initialized; then without the probe.
  expect(await connect(modernClient)).toBe(3)
  expect(await connect(modernClient)).toBe(2)
  expect(await connect(legacyClient)).toBe(2)
  expect([...eras.values()]).toEqual(['legacy', 'legacy'])
  await server.close()
})

test('a verdict that is no longer true corrects itself', async () => {
  const eras = new Map<string, Era>()
  const first = await open({ settings: testServer('features', '--era', 'modern'), deps: { eras } })
  expect(first.link.hello.era).toBe('modern')
  await first.link.close()
  const [key] = [...eras.keys()]
  eras.set(key ?? '', 'legacy')
  const second = await open({ settings: testServer('features', '--era', 'modern'), deps: { eras } })
  expect(second.link.hello.era).toBe('modern')
  await second.link.close()
  eras.set(key?.replace('modern', 'legacy') ?? '', 'modern')
  const third = await open({ settings: testServer('features', '--era', 'legacy'), deps: { eras } })
  expect(third.link.hello.era).toBe('legacy')
  await third.link.close()
})

test('the server’s own refusal of a client reaches it as it was', async () => {
  const settings = testServer('misbehaving', '--refuse')
  await expect(open({ settings })).rejects.toMatchObject({
    code: -32602,
    message: 'Unsupported protocol version',
    data: { supported: ['2024-11-05'] },
  })
})

test('a server that was only slow to start is asked again in the era that it speaks', async () => {
  const settings = testServer('features', '--era', 'modern', '--start-delay', '1500')
  const { link } = await open({ settings, client: modernClient, deps: { probeMs: 100 } })
  expect(link.hello.era).toBe('modern')
  await link.close()
})

test('a slow server that speaks both eras is not translated for a modern client', async () => {
  const settings = testServer('features', '--start-delay', '1500')
  const { link } = await open({ settings, client: modernClient, deps: { probeMs: 100 } })
  expect(link.hello.era).toBe('modern')
  const params = { name: 'weather', arguments: { city: 'Bonn' } }
  expect(textOf(await link.request('tools/call', params))).toContain('Bonn')
  await link.close()
})

test('such a server is started twice only until it is known to be modern', async () => {
  const starts = join(temporaryFolder(onTestFinished), 'starts')
  const { command, args = [] } = testServer('features', '--start-delay', '1500')
  const count = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, '.')`
  const settings = {
    command,
    args: ['--import', `data:text/javascript,${encodeURIComponent(count)}`, ...args],
  }
  const eras = new Map<string, Era>()
  const lengths: number[] = []
  for (let time = 0; time < 2; time++) {
    const { link } = await open({ settings, client: modernClient, deps: { eras, probeMs: 100 } })
    expect(link.hello.era).toBe('modern')
    lengths.push(readFileSync(starts, 'utf8').length)
    await link.close()
  }
  expect(lengths).toEqual([2, 3])
})

test('and stays as it is greeted where a second start would take too long', async () => {
  const settings = testServer('features', '--start-delay', '5500')
  const deps = { probeMs: 100, startMs: 11_000 }
  const { link } = await open({ settings, client: modernClient, deps })
  expect(link.hello.era).toBe('legacy')
  await link.close()
})
