import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fileVault } from '../../electron/engine/ground/secrets/file-vault.ts'
import { openSecrets } from '../../electron/engine/ground/secrets/open-secrets.ts'
import { startGuardedHttp, type GuardedHttp } from '../fixtures/servers/guarded-http.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { runCli, startCli } from '../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { screensClient } from '../helpers/screens-client.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/**
 * A remote server with a real authorisation server, two engines on one data folder (one in this process), and the
 * command line. In order.
 */

const endings: (() => Promise<unknown> | void)[] = []
let guarded: GuardedHttp
let dataDir: string
let engine: RunningEngine
/** Clock error of this process's engine, in ms. */
let clockIsOff = 0
let own: Awaited<ReturnType<typeof engineWorld>>

beforeAll(async () => {
  const whenDone = (end: () => Promise<void> | void): void => void endings.push(end)
  const folder = temporaryFolder(whenDone)
  dataDir = join(folder, 'data')
  guarded = await startGuardedHttp()
  endings.push(() => guarded.close())
  const servers = { guarded: { url: guarded.url } }
  const settings = { logLevel: 'debug', approvals: { firstSight: 'trust' } }
  const secrets = openSecrets({ dataDir, vaults: [fileVault], warn: () => {} })
  const now = (): number => Date.now() + clockIsOff
  own = await engineWorld(servers, settings, { whenDone, folder, secrets, now })
  engine = await startEngine(writeConfig(dataDir, servers, settings))
  endings.push(() => engine.stop())
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${engine.token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp/guarded', engine.url), { requestInit }),
  )
  onTestFinished(() => client.close())
  return client
}

const connectBoth = async (): Promise<Client[]> =>
  Promise.all([
    connect(),
    own.connect({ scope: { kind: 'server', serverId: 'guarded' } }).then(({ client }) => client),
  ])

const echo = async (client: Client): Promise<string> => {
  const { content } = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
  const [first] = Array.isArray(content) ? content : []
  return first?.type === 'text' ? first.text : ''
}

async function signIn(): Promise<string> {
  const child = startCli(['sign-in', 'guarded', '--no-browser', '--data-dir', dataDir])
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(() => said).toMatch(/^http:\/\/localhost:\d+\/auth\?.*$/m)
  await guarded.visit(/^http:\/\/localhost:\d+\/auth\?.*$/m.exec(said)?.[0] ?? '')
  await ended
  return said
}

describe('a server that wants its user to sign in', () => {
  test('says so, and nothing is asked of anybody by itself', async () => {
    await expect(connect()).rejects.toThrow(
      /wants you to sign in\. Sign in on the Servers screen, or with "sluice sign-in guarded"/,
    )
    expect(guarded.registrations()).toBe(0)
  })

  test('can be used once its user has, by every engine, with one registration', async () => {
    expect(await signIn()).toContain('You are signed in to guarded.')
    const clients = await connectBoth()
    expect(await Promise.all(clients.map(echo))).toEqual(['hi', 'hi'])
    expect(guarded.registrations()).toBe(1)
    expect(guarded.refreshes()).toBe(0)
  })

  test('tokens that end are exchanged once, by two processes at the same moment', async () => {
    const clients = await connectBoth()
    await guarded.expireTokens()
    expect(await Promise.all([...clients, ...clients].map(echo))).toEqual(['hi', 'hi', 'hi', 'hi'])
    expect(guarded.refreshes()).toBe(1)
  })

  test('a clock that jumps costs at most an exchange, and no sign-in', async () => {
    const { client } = await own.connect({ scope: { kind: 'server', serverId: 'guarded' } })
    const before = guarded.refreshes()
    const TWO_DAYS_MS = 2 * 24 * 3600_000
    // Every token seems expired …
    clockIsOff = TWO_DAYS_MS
    expect(await echo(client)).toBe('hi')
    expect(guarded.refreshes() - before).toBeLessThanOrEqual(1)
    // … and with the clock right again, or behind, an expired token seems to last for days.
    clockIsOff = -TWO_DAYS_MS
    await guarded.expireTokens()
    expect(await echo(client)).toBe('hi')
    clockIsOff = 0
    expect(await echo(client)).toBe('hi')
    expect(guarded.refreshes() - before).toBeLessThanOrEqual(3)
  })

  test('more rights are asked for when a call needs them, beside those that were given', async () => {
    const client = await connect()
    guarded.demandMore()
    expect(await echo(client)).toMatch(
      /wants more rights than you gave it \(mcp:write\).*sluice sign-in guarded/,
    )
    const said = await signIn()
    expect(said).toContain('You are signed in')
    expect(decodeURIComponent(said.replaceAll('+', ' '))).toContain('mcp:read mcp:write')
    expect(guarded.registrations()).toBeLessThanOrEqual(2)
    expect(await echo(client)).toBe('hi')
  })

  test('a sign-in that was taken back is told, and forgotten', async () => {
    const client = await connect()
    expect(await echo(client)).toBe('hi')
    await guarded.revoke()
    expect(await echo(client)).toMatch(/no longer takes your sign-in.*sluice sign-in guarded/)
  })

  test('the screens name the page, wait for its answer, and can forget it', async () => {
    const { servers } = screensClient(engine)
    const stateNow = async () => (await servers.get({ server: 'guarded' })).signIn
    await servers.tryStart({ server: 'guarded' })
    expect(await stateNow()).toBe('needed')

    const signInHere = async (): Promise<void> => {
      const kinds: string[] = []
      for await (const event of await servers.signIn({ server: 'guarded' })) {
        kinds.push(event.kind)
        if (event.kind === 'page') await guarded.visit(event.url)
      }
      expect(kinds).toEqual(['page', 'done'])
    }
    await signInHere()
    expect(await servers.tryStart({ server: 'guarded' })).toMatchObject({ ok: true })
    expect(await stateNow()).toBe('done')

    const client = await connect()
    expect(await echo(client)).toMatch(/wants more rights/)
    await signInHere()
    expect(await echo(client)).toBe('hi')
    await servers.signOut({ server: 'guarded' })
    expect(await stateNow()).toBe('possible')
    await expect(servers.signOut({ server: 'guarded' })).rejects.toThrow('Nothing is kept of a sign-in')
    // An open connection reads again within some seconds.
    await expect.poll(() => echo(client)).toMatch(/wants you to sign in/)
  })

  test('a sign-in that its user leaves leaves nothing behind, and can be begun again', async () => {
    const { servers } = screensClient(engine)
    for (let time = 0; time < 2; time++) {
      const leaving = new AbortController()
      const events = await servers.signIn({ server: 'guarded' }, { signal: leaving.signal })
      const first = await events[Symbol.asyncIterator]().next()
      expect(first.value).toMatchObject({ kind: 'page' })
      leaving.abort()
      await expect.poll(() => readdirSync(dataDir).filter((name) => name.startsWith('.sign-in'))).toEqual([])
    }
    await signIn()
  })

  test('no token is anywhere but among the secrets', () => {
    expect(guarded.issued.size).toBeGreaterThan(4)
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name !== 'secrets.json')
      .map((name) => join(dataDir, name))
      .filter((path) => statSync(path).isFile())
    const texts = [engine.output(), ...files.map((path) => readFileSync(path, 'latin1'))]
    for (const token of guarded.issued) expect(texts.some((text) => text.includes(token))).toBe(false)
  })

  test('a sign-in can be forgotten', async () => {
    const signOut = () => runCli(['sign-out', 'guarded', '--data-dir', dataDir])
    expect(await signOut()).toMatchObject({ code: 0 })
    expect((await signOut()).stderr).toContain('Nothing is kept of a sign-in')
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain('oauth.')
  })
})
