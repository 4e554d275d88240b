import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../../helpers/axe.ts'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { entriesOf } from '../../helpers/client-home.ts'
import { startEngine, type RunningEngine } from '../../helpers/running-engine.ts'
import { serverPath } from '../../helpers/server-bundles.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

// A user's first day; each step needs those before.

const root = resolve(import.meta.dirname, '../../..')
const executable = findBrowser()
const isBuilt = existsSync(join(root, 'dist/renderer/index.html'))
if (!isBuilt) console.warn('The screens are not built, so a first day is not tested: npm run build')

const official = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js'), ...args],
})
const tool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: {} },
})

describe.skipIf(executable === undefined || !isBuilt)(
  'the first day of a new user',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
    const home = join(folder, 'home')
    const notes = join(home, 'my notes')
    const offer = join(folder, 'offer.json')
    const config = join(home, '.config/Claude/claude_desktop_config.json')
    let firstBytes: Buffer
    let engine: RunningEngine
    let browser: Browser
    let page: Page
    const clients = new Map<string, Client>()
    const listChanges = new Map<string, number>()
    const troubles: string[] = []

    /** Exactly what Claude Desktop starts for this server. */
    const clientOf = async (name: string): Promise<Client> => {
      const known = clients.get(name)
      if (known) return known
      const { command, args } = entriesOf(config)[name] ?? { command: '', args: [] }
      const client = new Client({ name: 'claude-ai', version: '1.0.0' })
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        listChanges.set(name, (listChanges.get(name) ?? 0) + 1)
      })
      await client.connect(new StdioClientTransport({ command, args, cwd: home }))
      clients.set(name, client)
      return client
    }
    const toolsOf = async (name: string) => (await (await clientOf(name)).listTools()).tools
    const open = (hash: string) => page.goto(`${engine.url}/#${hash}`)
    const button = (name: string | RegExp) => page.getByRole('button', { name })

    beforeAll(async () => {
      mkdirSync(notes, { recursive: true })
      writeFileSync(join(notes, 'a.txt'), 'the words of the note')
      const log = Array.from(
        { length: 4000 },
        (_, line) => `10:00:${line % 60} INFO request ${line} took ${line % 97} ms`,
      )
      writeFileSync(join(notes, 'server.log'), log.join('\n'))
      writeFileSync(
        offer,
        JSON.stringify({ tools: [tool('read_mail', 'Reads a mail.'), tool('list_mail', 'Lists mails.')] }),
      )
      mkdirSync(dirname(config), { recursive: true })
      const servers = {
        filesystem: official('server-filesystem', notes),
        everything: official('server-everything'),
        mail: { command: process.execPath, args: [serverPath('changeable'), offer] },
      }
      // As Windows programs write it: byte-order mark, tabs, CRLF, and unknown fields.
      const text = JSON.stringify(
        { globalShortcut: 'Ctrl+Space', mcpServers: servers, 'x-unknown': [1] },
        null,
        '\t',
      )
      writeFileSync(config, `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`)
      firstBytes = readFileSync(config)

      const dataDir = join(folder, 'data')
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'config.json'), '{ "http": { "port": 0 } }\n')
      engine = await startEngine(dataDir, {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        CLAUDE_CONFIG_DIR: '',
        CODEX_HOME: '',
      })
      browser = await startBrowser(executable ?? '')
      // With movements, as most users have them; other tests' pages have none.
      const screen = { viewport: { width: 1280, height: 800 }, reducedMotion: 'no-preference' } as const
      page = await (await browser.newContext(screen)).newPage()
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
      })
      page.on('pageerror', (error) => troubles.push(error.message))
    })

    afterAll(async () => {
      await Promise.all([...clients.values()].map((client) => client.close()))
      await browser?.close()
      await engine?.stop()
      removeFolder(folder)
    })

    it('opens the link and is met by a guide that found the configuration', async () => {
      await page.goto(/screens:\s+(\S+)/.exec(engine.output())?.[1] ?? '')
      await page.getByText('Welcome to Sluice').waitFor()
      await page.getByText('3 servers: filesystem, everything, mail').waitFor()
      expect(await seriousFaults(page)).toEqual([])
    })

    it('sees the exact change and what each server offers, and wraps with one yes', async () => {
      await button('Wrap my Claude Desktop servers').click()
      await page.getByText(/You approve \d+ definitions of 3 servers/).waitFor()
      await page.getByText('read_text_file').first().waitFor()
      expect(await seriousFaults(page, '[role=dialog]')).toEqual([])
      await button('Change of the file').click()
      await page.locator('pre').getByText('claude-desktop').first().waitFor()
      expect(readFileSync(config).equals(firstBytes)).toBe(true)
      await button('Approve and wrap 3 servers').click()
      await page.getByText('3 servers of Claude Desktop go through Sluice now').waitFor()
      await button('Done').click()
      await page.getByText(/Restart Claude Desktop/).waitFor()
      const bytes = readFileSync(config, 'utf8')
      expect(bytes.startsWith('\uFEFF')).toBe(true)
      expect(bytes.replaceAll('\r\n', '')).not.toContain('\n')
    })

    it('a client starts what the file says and calls at once, nothing is blocked, and the first savings show', async () => {
      expect(Object.keys(entriesOf(config))).toEqual(['filesystem', 'everything', 'mail', 'sluice'])
      const files = await clientOf('filesystem')
      const small = await files.callTool({
        name: 'read_text_file',
        arguments: { path: join(notes, 'a.txt') },
      })
      expect(small).toMatchObject({ content: [{ type: 'text', text: 'the words of the note' }] })
      expect((await toolsOf('everything')).map(({ name }) => name)).toContain('echo')
      expect((await toolsOf('mail')).map(({ name }) => name)).toEqual(['read_mail', 'list_mail'])
      await page.getByText('The first calls came through').waitFor()
      await files.callTool({ name: 'read_text_file', arguments: { path: join(notes, 'server.log') } })
      await page.getByText('tokens kept out of context').waitFor()
      await button('Go to the Overview').click()
      await page.getByText('Tokens over time').waitFor()
      const net = /^[\d,]+/.exec((await page.locator('.figure').textContent()) ?? '')?.[0] ?? 'none'
      await open('/start')
      await page.getByText(`${net} tokens kept out of context, net`).waitFor()
      await open('/')
      expect(await page.locator('.badge').count()).toBe(0)
    })

    it('the figure and the chart of the Overview move as calls happen', async () => {
      const figure = page.locator('.figure')
      const chart = page.getByLabel(/^Tokens per/).first()
      const [before, drawn] = [await figure.textContent(), await chart.getAttribute('aria-label')]
      await (
        await clientOf('filesystem')
      ).callTool({
        name: 'read_text_file',
        arguments: { path: join(notes, 'server.log') },
      })
      await expect.poll(() => figure.textContent()).not.toBe(before)
      await expect.poll(() => chart.getAttribute('aria-label')).not.toBe(drawn)
    })

    it('hides a tool and edits the description of another, and the client sees both', async () => {
      await toolsOf('filesystem')
      const heard = listChanges.get('filesystem') ?? 0
      await open('/tools/filesystem/write_file')
      await page.getByLabel('Hidden: not listed').check()
      await button('Save').click()
      await page.getByText('write_file was changed').first().waitFor()
      await open('/tools/filesystem/read_text_file')
      await page.getByLabel('What the model reads').fill('Reads one of my notes.')
      await button('Save').click()
      await page.getByText('read_text_file was changed').first().waitFor()
      await expect.poll(() => listChanges.get('filesystem') ?? 0).toBeGreaterThan(heard)
      const tools = await toolsOf('filesystem')
      expect(tools.map(({ name }) => name)).not.toContain('write_file')
      expect(tools.find(({ name }) => name === 'read_text_file')?.description).toBe('Reads one of my notes.')
      const result = await (
        await clientOf('filesystem')
      ).callTool({
        name: 'read_text_file',
        arguments: { path: join(notes, 'a.txt') },
      })
      expect(result.isError ?? false).toBe(false)
    })

    it('a server changes and is blocked; approved on the screen it can be called', async () => {
      const mail = await clientOf('mail')
      writeFileSync(
        offer,
        JSON.stringify({
          tools: [
            tool('read_mail', 'Reads a mail, and marks it as read.'),
            tool('list_mail', 'Lists mails.'),
          ],
        }),
      )
      await expect.poll(async () => (await toolsOf('mail')).map(({ name }) => name)).toEqual(['list_mail'])
      const refused = await mail
        .callTool({ name: 'read_mail', arguments: {} })
        .catch((error: unknown) => error)
      expect(JSON.stringify(refused instanceof Error ? refused.message : refused)).toContain('blocked')
      const heard = listChanges.get('mail') ?? 0

      await open('/approvals')
      await page.locator('ins', { hasText: 'marks it as read' }).first().waitFor()
      await button('Approve all').click()
      await page.getByText('1 definition approved').first().waitFor()
      await expect.poll(() => listChanges.get('mail') ?? 0).toBeGreaterThan(heard)
      expect((await toolsOf('mail')).map(({ name }) => name)).toEqual(['read_mail', 'list_mail'])
      expect(await mail.callTool({ name: 'read_mail', arguments: {} })).toMatchObject({
        content: [{ text: 'called read_mail' }],
      })
    })

    it('unwraps, and the file has its first bytes again', async () => {
      await Promise.all([...clients.values()].map((client) => client.close()))
      clients.clear()
      await open('/clients')
      await button(/Undo the wrapping of/).click()
      await page.getByText('Every byte of the file will be as it was.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Unwrap' }).click()
      await button('Wrap my Claude Desktop servers').waitFor()
      expect(readFileSync(config).equals(firstBytes)).toBe(true)
    })

    it('reported no error in the browser', () => {
      expect(troubles).toEqual([])
    })
  },
)
