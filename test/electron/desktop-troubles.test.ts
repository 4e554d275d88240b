import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBrowser } from '../helpers/browser.ts'
import { runCli } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { MAIN, pageAt, startSharedBrowser, type SharedBrowser } from './desktop-run.ts'
import { createDesktopWorld, textOf, type DesktopWorld } from './desktop-world.ts'
import { removeFolder } from '../helpers/remove-folder.ts'
import { testServer } from '../helpers/upstream.ts'

// Failures around the desktop app, and its messages and actions.

const executable = findBrowser()
const isBuilt = existsSync(MAIN)
if (!isBuilt) console.warn('The desktop app is not built, so it is not tested: npm run build')
const PATIENT = { timeout: 100_000 }

interface Said {
  readonly message: string
  readonly detail: string
  readonly buttons?: readonly string[]
}

describe.skipIf(executable === undefined || !isBuilt)('the desktop app in trouble', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  let browser: SharedBrowser
  let world: DesktopWorld
  beforeAll(async () => {
    browser = await startSharedBrowser(executable ?? '', folder)
  })
  afterAll(async () => {
    await browser?.close()
    removeFolder(folder)
  })
  const told = (title: string): Promise<{ title: string; body: string }[]> =>
    world.desktop.until('notifications', (all: { title: string; body: string }[]) =>
      all.some((each) => each.title === title),
    )

  describe('of a start', () => {
    beforeEach(async () => {
      world = await createDesktopWorld(browser)
    })
    afterEach(() => world?.close())

    it('offers the browser where Sluice runs without its window already', async () => {
      const engine = await startEngine(world.dataDir)
      try {
        world.start()
        const [said] = await world.desktop.until<Said[]>('dialogs', (all) => all.length > 0)
        expect(said?.message).toBe('Sluice runs already, without its window')
        await world.desktop.do('answer dialog', 'Open in the browser')
        expect(await world.desktop.ended).toBe(1)
        expect(world.desktop.output()).toContain(`[opened] ${engine.url}/open?code=`)
      } finally {
        await engine.stop()
      }
    })

    it('goes on without HTTP’s usual port when another program has it, and says so', async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => other.once('listening', resolve))
      const { port } = other.address() as AddressInfo
      const path = join(world.dataDir, 'config.json')
      const config = JSON.parse(readFileSync(path, 'utf8')) as object
      writeFileSync(path, JSON.stringify({ ...config, http: { port } }))
      try {
        world.start()
        const all = await told('Clients that use HTTP can’t reach Sluice')
        expect(all.at(-1)?.body).toContain(`Port ${port} is taken`)
        expect(await (await world.connect('archive')).request('ping')).toMatchObject({ result: {} })
      } finally {
        other.close()
      }
    })

    it('says in a sentence that its data folder can’t be made, and ends', async () => {
      const file = join(world.folder, 'file')
      writeFileSync(file, '')
      const run = world.start({ args: ['--data-dir', join(file, 'data')] })
      expect(await run.ended).toBe(1)
      expect(run.output()).toContain(`The folder ${join(file, 'data', 'desktop')} can't be made`)
      expect(run.output()).toContain('Use another data folder')
      expect(run.output()).not.toContain('    at ')
    })

    it('opens its window over a record of approvals that can’t be read, and says what to do', async () => {
      writeFileSync(join(world.dataDir, 'pins.db'), 'not a database '.repeat(100))
      world.start()
      const page = await pageAt(world.browser, world.desktop, /#\/$/)
      await page.getByText('sluice review --reset').first().waitFor(PATIENT)
      await page.evaluate(() => (location.hash = '#/approvals'))
      await page.getByText('is damaged: file is not a database').first().waitFor(PATIENT)
      expect(await world.desktop.do('windows')).toHaveLength(1)
    })
  })

  describe('of a start with several at once', () => {
    const gone = '/opt/Sluice-0.0.1'
    const connect = ['connect', '--client', 'cursor', '--server', 'archive']
    const cursorConfig = (): string => join(world.homeDir, '.cursor/mcp.json')
    const textOfCursor = (): string => {
      const args = [
        `${gone}/resources/app.asar/dist/electron/cli.js`,
        '--data-dir',
        world.dataDir,
        ...connect,
      ]
      return JSON.stringify({ mcpServers: { archive: { command: `${gone}/sluice`, args } } }, null, 2)
    }
    beforeAll(async () => {
      world = await createDesktopWorld(browser)
      mkdirSync(join(world.dataDir, 'desktop'))
      writeFileSync(join(world.dataDir, 'desktop/preferences.json'), '{ "theme": ')
      mkdirSync(join(world.homeDir, '.cursor'))
      writeFileSync(cursorConfig(), textOfCursor())
      const path = join(world.dataDir, 'config.json')
      const config = JSON.parse(readFileSync(path, 'utf8')) as { servers: object }
      const tool = { ...testServer('surroundings'), env: { KEY: '${secret:my-key}' } }
      writeFileSync(path, JSON.stringify({ ...config, servers: { ...config.servers, tool } }))
      // Stored without the app, in this machine's secret store; the app can still read it.
      const { code } = await runCli(['secrets', 'set', 'my-key', '--data-dir', world.dataDir], {
        input: 'v4lue-of-the-key',
      })
      expect(code).toBe(0)
      world.start()
    })
    afterAll(() => world?.close())

    it('starts without choices that can’t be read, and keeps the file', async () => {
      await pageAt(world.browser, world.desktop, /#\/$/)
      const kept = join(world.dataDir, 'desktop/preferences.json.damaged')
      expect(readFileSync(kept, 'utf8')).toBe('{ "theme": ')
    })

    it('mends, when asked to, what an app starts that is gone', async () => {
      const path = cursorConfig()
      const text = textOfCursor()
      await told('An AI app starts a Sluice that is gone')
      expect(readFileSync(path, 'utf8')).toBe(text)
      await world.desktop.do('click notification', 'An AI app starts a Sluice that is gone')
      const page = await pageAt(world.browser, world.desktop, /#\/clients$/)
      await page.getByText(`${gone}/sluice is not there.`).waitFor(PATIENT)
      await page.getByRole('button', { name: 'Let them start this one' }).click()
      await page.getByText('archive starts this Sluice').first().waitFor(PATIENT)
      const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as {
        mcpServers: { archive: { command: string; args: string[]; env: object } }
      }
      expect(mcpServers.archive.command).toBe(process.execPath)
      expect(mcpServers.archive.args[0]).toMatch(/electron\/cli\.js$/)
      expect(mcpServers.archive.args.slice(-5)).toEqual(connect)
      expect(mcpServers.archive.env).toEqual({ ELECTRON_RUN_AS_NODE: '1' })
    })

    it('keeps choices, and brings the window about a blocked server to the front where that was chosen', async () => {
      const page = await pageAt(world.browser, world.desktop, /door=port#\/(?!approve)/)
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Open a window in front' }).click(PATIENT)
      await page.getByRole('button', { name: 'Dark', exact: true }).click()
      await world.desktop.until<string>('theme', (theme) => theme === 'dark')
      const notes = await world.connect('notes')
      world.offerNotes('Reads any file.')
      await expect
        .poll(async () => JSON.stringify(await notes.request('tools/call', { name: 'read_note' })), PATIENT)
        .toContain('blocked')
      const small = await pageAt(world.browser, world.desktop, /#\/approve\/notes$/)
      await small.getByRole('button', { name: 'Deny' }).click(PATIENT)
      await world.desktop.until<unknown[]>('windows', (all) => all.length === 1)
      const kept = JSON.parse(readFileSync(join(world.dataDir, 'desktop/preferences.json'), 'utf8')) as object
      expect(kept).toMatchObject({ approvals: 'open', theme: 'dark' })
    })

    it('hands a secret, kept without the app, to the server that names it', async () => {
      const tool = await world.connect('tool')
      const answer = await tool.request('tools/call', { name: 'tell', arguments: { name: 'KEY' } })
      const hash = createHash('sha256').update('v4lue-of-the-key').digest('hex')
      expect(JSON.stringify(answer)).toContain(hash)
    })

    it('says that a part of the engine was started anew, and goes on', async () => {
      const client = await world.connect('archive')
      const large = { name: 'json', arguments: { bytes: 600_000 } }
      expect(textOf(await client.request('tools/call', large))).toContain('[Compressed:')
      await world.desktop.do('crash worker')
      await told('A part of Sluice was restarted')
      await expect
        .poll(async () => textOf(await client.request('tools/call', large)), PATIENT)
        .toContain('[Compressed:')
    })
  })
})
