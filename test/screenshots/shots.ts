import type { Page } from 'playwright-core'
import type { Showcase } from './showcase.ts'

/** One picture: where it is, what must stand there before it is taken, and what is done first. */
export interface Shot {
  readonly name: string
  /** Behind the `#`. */
  readonly address: string
  readonly filled: string | RegExp
  /** Widths in pixels; 1280 when left out. */
  readonly widths?: readonly number[]
  readonly colours?: readonly ('light' | 'dark')[]
  act?(page: Page, showcase: Showcase): Promise<void>
  after?(page: Page): Promise<void>
}

const everyWidth = [900, 1280, 2560]
const press = (name: string | RegExp) => async (page: Page) =>
  page.getByRole('button', { name }).first().click()

export const shots: readonly Shot[] = [
  { name: 'overview', address: '/', filled: 'Kept out of context', widths: everyWidth },
  { name: 'overview-week', address: '/?range=7&by=tool', filled: 'Kept out of context' },
  { name: 'activity', address: '/activity', filled: 'files · read_text_file', widths: everyWidth },
  {
    name: 'activity-call',
    address: '/activity?only=shortened',
    filled: 'files · read_text_file',
    act: press(/read_text_file/),
  },
  { name: 'results', address: '/results', filled: 'files · read_text_file' },
  {
    name: 'result',
    address: '/results',
    filled: 'files · read_text_file',
    act: press(/server.log|read_text_file/),
    widths: everyWidth,
  },
  { name: 'servers', address: '/servers', filled: 'running', widths: everyWidth },
  { name: 'server', address: '/servers/files', filled: 'In every conversation' },
  { name: 'server-failed', address: '/servers/git', filled: 'failed' },
  { name: 'server-new', address: '/servers?add=form', filled: 'Command' },
  { name: 'server-edit', address: '/servers/memory?view=edit', filled: 'Command' },
  { name: 'tools', address: '/tools', filled: 'read_note', widths: everyWidth },
  { name: 'tool', address: '/tools/files/read_text_file', filled: 'The server’s own words' },
  { name: 'tool-try', address: '/tools/files/directory_tree?view=try', filled: 'Call directory_tree' },
  { name: 'clients', address: '/clients', filled: 'Claude Desktop' },
  { name: 'approvals', address: '/approvals', filled: 'delete_note', widths: everyWidth },
  { name: 'approvals-history', address: '/approvals?view=history', filled: 'trusted at first sight' },
  { name: 'quarantine', address: '/quarantine', filled: 'web · fetch_page' },
  { name: 'quarantined', address: '/quarantine', filled: 'web · fetch_page', act: press(/fetch_page/) },
  { name: 'settings', address: '/settings', filled: 'Shortened to, tokens', widths: everyWidth },
  {
    name: 'settings-text',
    address: '/settings?view=text',
    filled: 'mcp-server-memory',
    widths: everyWidth,
    act: async (page) => {
      await page.getByText('"logLevel"').click()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.keyboard.type('"comp')
      await page.locator('.cm-tooltip-autocomplete').waitFor()
    },
  },
  {
    name: 'settings-more',
    address: '/settings?text=detector',
    filled: 'Further detectors',
    act: press('Add a detector'),
  },
  { name: 'settings-prices', address: '/settings?text=price', filled: 'Prices' },
  { name: 'logs', address: '/logs', filled: 'server connected' },
]
