import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { KnownSecrets } from '../../../electron/engine/ground/secrets/known-secrets.ts'
import { parseExact, stringifyExact } from '../../../electron/engine/protocol/exact-json.ts'
import type { OpenLink, UpstreamLink } from '../../../electron/engine/protocol/link.ts'
import { keepSecrets, sureSecrets } from '../../../electron/engine/servers/keep-secrets.ts'
import { startEntry } from '../../helpers/client-home.ts'
import { writeConfig } from '../../helpers/data-folder.ts'
import { engineWorld } from '../../helpers/engine-world.ts'
import { CLI, runCli } from '../../helpers/run-cli.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { testServer } from '../../helpers/upstream.ts'

const KEY = 'sk_live_51H/7f3A9c+Qz&"x8LmN0pWvT4rK'
const FORMS = {
  plain: KEY,
  url: encodeURIComponent(KEY),
  base64: Buffer.from(`user:${KEY}`).toString('base64'),
  hex: Buffer.from(KEY).toString('hex'),
  backwards: Array.from(KEY).toReversed().join(''),
  cut: KEY.slice(0, 20),
  json: JSON.stringify({ key: KEY }),
}
const server = {
  ...testServer('leaking'),
  env: { MY_API_KEY: KEY, MODE: 'production', HOME_DIR: '/home/me' },
}

/** The secret's forms found in a text. */
const leaksIn = (text: string): string[] =>
  Object.entries(FORMS).flatMap(([name, form]) =>
    text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)) ? [name] : [],
  )

describe('what a server says of a configured secret', () => {
  const ends: (() => Promise<void> | void)[] = []
  let world: Awaited<ReturnType<typeof engineWorld>>
  beforeAll(async () => {
    world = await engineWorld(
      { s: server, other: testServer('leaking') },
      { approvals: { firstSight: 'trust' }, guard: { results: 'off' } },
      { whenDone: (end) => void ends.push(end) },
    )
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  test.each(['result', 'structured', 'link', 'failed', 'error'])(
    'in a call of "%s": it arrives in no form, and everything else does',
    async (tool) => {
      const { client, close } = await world.connect()
      for (const form of Object.keys(FORMS)) {
        const answer = await client
          .callTool({ name: tool, arguments: { form } })
          .catch((error: { message: string; code: number; data: unknown }) => ({
            message: error.message,
            code: error.code,
            data: error.data,
          }))
        const text = JSON.stringify(answer)
        expect(leaksIn(text), form).toEqual([])
        expect(text).toContain('[secret removed by Sluice]')
        if (tool === 'error')
          expect(answer).toMatchObject({
            code: -32050,
            message: expect.stringContaining('upstream said 401 for'),
          })
        if (tool === 'result') expect(text).toContain('The key is ')
      }
      await close()
    },
  )

  test('also where another server than its own says it', async () => {
    const own = await world.connect()
    await own.names()
    await own.close()
    const path = join(world.folder, 'key.txt')
    writeFileSync(path, `key=${KEY}\nport=8080\n`)
    const { call } = await world.connect({ scope: { kind: 'server', serverId: 'other' } })
    expect(await call('read', { path })).toBe('key=[secret removed by Sluice]\nport=8080\n')
  })

  test('a call that would write the mark over the secret is not made', async () => {
    const { call } = await world.connect()
    const path = join(world.folder, 'env.txt')
    writeFileSync(path, `key=${KEY}\n`)
    const seen = await call('read', { path })
    expect(await call('write', { path, content: seen })).toMatch(/was not made.*\[secret removed by Sluice\]/)
    expect(readFileSync(path, 'utf8')).toBe(`key=${KEY}\n`)
    expect(await call('write', { path, content: 'no key' })).toBe('written')
  })
})

test('the log, the last words and the bundle hold the key of a server that died in no form', async () => {
  const folder = temporaryFolder()
  const dataDir = writeConfig(
    join(folder, 'data'),
    { s: server },
    { approvals: { firstSight: 'trust' }, logLevel: 'debug' },
  )
  const args = [CLI, 'connect', '--server', 's', '--data-dir', dataDir]
  const client = await startEntry({ command: process.execPath, args }, folder)
  const answer = await client.callTool({ name: 'die', arguments: {} })
  expect(JSON.stringify(answer)).toMatch(/Its last words: .*\[/)
  expect(leaksIn(JSON.stringify(answer))).toEqual([])
  await client.close()

  const log = readFileSync(join(dataDir, 'logs', 'sluice.log'), 'utf8')
  expect(log).toContain('backwards: [')
  expect(leaksIn(log)).toEqual([])
  const bundle = join(folder, 'bundle.json')
  await runCli(['doctor', '--offline', '--bundle', bundle, '--data-dir', dataDir])
  const text = readFileSync(bundle, 'utf8')
  expect(text).toContain('backwards: [')
  expect(leaksIn(text)).toEqual([])
})

test('plain words, paths, numbers and addresses without a password are left in what servers say', () => {
  const plain = [
    'production',
    'memory-store',
    'on',
    '8080',
    '2026-11-23',
    '/home/me/keys',
    'C:\\keys\\mine',
    '~/.ssh/id',
    'https://example.com/login',
  ]
  expect(sureSecrets(plain)).toEqual([])
  const secret = [
    KEY,
    'hunter2hunter2',
    'postgres://me:pw123456@db/x',
    'https://x.example/?key=abc12345',
    'p@ssword!',
  ]
  expect(sureSecrets(secret)).toEqual(secret)
})

test('a key of digits is no number either, and other numbers arrive as they were written', async () => {
  const known = new KnownSecrets()
  known.add(['98765432109876543210'])
  const result = parseExact(
    '{"structuredContent":{"n":98765432109876543210,"list":[98765432109876543210,1.0],"id":55555555555555555555555}}',
  )
  const open = keepSecrets(
    (async () => ({ hello: {}, request: async () => result })) as unknown as OpenLink,
    known,
  )
  const link: UpstreamLink = await open({ events: {} } as Parameters<OpenLink>[0])
  expect(stringifyExact(await link.request('tools/call', { name: 'x' }))).toBe(
    '{"structuredContent":{"n":"[secret removed by Sluice]","list":["[secret removed by Sluice]",1.0],"id":55555555555555555555555}}',
  )
})

test.each([
  ['clean', '%25252525'.repeat(100_000), ''],
  ['with the key in it', `${'%25252525'.repeat(100_000)}${KEY}`, '[secret removed by Sluice]'],
])('others have their turns while a long hostile result is looked through: %s', async (_, text, end) => {
  const known = new KnownSecrets()
  known.add([KEY])
  const open = keepSecrets(
    (async () => ({
      hello: {},
      request: async () => ({ content: [{ type: 'text', text }] }),
    })) as unknown as OpenLink,
    known,
  )
  const link: UpstreamLink = await open({ events: {} } as Parameters<OpenLink>[0])
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await link.request('tools/call', { name: 'x' })
  isDone = true
  expect(JSON.stringify(result).endsWith(`${end}"}]}`)).toBe(true)
  expect(turns).toBeGreaterThan(3)
})
