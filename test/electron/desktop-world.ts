import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient, type RawMessage } from '../helpers/raw-client.ts'
import { startDesktop, startSharedBrowser, type DesktopRun, type SharedBrowser } from './desktop-run.ts'
import { removeFolder } from '../helpers/remove-folder.ts'
import { testServer } from '../helpers/upstream.ts'

const CLI = resolve(import.meta.dirname, '../../dist/electron/cli.js')

/** The desktop app with five servers, and what a test may do to it from outside. */
export interface DesktopWorld {
  readonly folder: string
  readonly dataDir: string
  readonly homeDir: string
  readonly browser: SharedBrowser
  readonly desktop: DesktopRun
  start(options?: { args?: readonly string[]; env?: Readonly<Record<string, string>> }): DesktopRun
  /** A client as started by a wrapped configuration: the built launcher on the app's data folder. */
  connect(server: string): Promise<RawClient>
  offerNotes(description: string): void
  close(): Promise<void>
}

/** Of the tray's menu until the engine answers. */
const STARTING_ITEMS = 4

export const SERVERS = ['archive', 'features', 'mail', 'mirror', 'notes'] as const

/** With its own browser, or in one that stays open, without the windows of this app. */
export async function createDesktopWorld(own: string | SharedBrowser): Promise<DesktopWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const homeDir = join(folder, 'home')
  mkdirSync(homeDir)
  const offer = join(folder, 'offer.json')
  const offerNotes = (description: string): void => {
    // Renamed into place: the server reads it on every change.
    writeFileSync(
      `${offer}.new`,
      JSON.stringify({ tools: [{ name: 'read_note', description, inputSchema: { type: 'object' } }] }),
    )
    renameSync(`${offer}.new`, offer)
  }
  offerNotes('Reads one note and returns its text.')
  const dataDir = writeConfig(join(folder, 'data'), {
    archive: testServer('big-result'),
    features: testServer('features'),
    mail: testServer('poisoned'),
    mirror: testServer('mirror'),
    notes: testServer('changeable', offer),
  })
  const browser = typeof own === 'string' ? await startSharedBrowser(own, folder) : own
  const before = new Set(pagesOf(browser))
  const clients: RawClient[] = []
  const runs: DesktopRun[] = []
  return {
    folder,
    dataDir,
    homeDir,
    browser,
    get desktop() {
      const [first] = runs
      if (!first) throw new Error('The app was not started.')
      return first
    },
    start: ({ args = [], env = {} } = {}) => {
      // TERM as from a terminal, so that the user's shell is not asked for its environment.
      const run = startDesktop({
        dataDir,
        browser,
        args,
        env: { TERM: 'dumb', HOME: homeDir, XDG_CONFIG_HOME: join(homeDir, '.config'), ...env },
      })
      runs.push(run)
      return run
    },
    connect: async (server) => {
      // Earlier, a connector would find no engine and host its own, bypassing the app.
      const [app] = runs
      if (!app) throw new Error('The app was not started.')
      await app.until<{ menu: unknown[] } | null>('tray', (look) => (look?.menu.length ?? 0) > STARTING_ITEMS)
      const client = new RawClient({
        command: process.execPath,
        args: [CLI, '--data-dir', dataDir, 'connect', '--client', 'cursor', '--server', server],
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      })
      clients.push(client)
      await client.initialize()
      await client.request('tools/list')
      return client
    },
    offerNotes,
    close: async () => {
      await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
      for (const run of runs) run.kill()
      await Promise.all(runs.map(({ ended }) => ended))
      if (typeof own === 'string') await browser.close()
      else for (const page of pagesOf(browser)) if (!before.has(page)) await page.close()
      removeFolder(folder)
    },
  }
}

const pagesOf = ({ browser }: SharedBrowser): Page[] =>
  browser.contexts().flatMap((context) => context.pages())

export const textOf = (answer: RawMessage): string => {
  const { content } = answer['result'] as { content: { text: string }[] }
  return content.map(({ text }) => text).join('\n')
}
