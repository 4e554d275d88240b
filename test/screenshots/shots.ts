import type { Page } from 'playwright-core'
import type { Showcase } from './showcase.ts'

/** One picture of a `World`: its address, what must be visible before, and the actions before it. */
export interface Shot<World = Showcase> {
  readonly name: string
  /** After the `#`. */
  readonly address: string
  readonly filled: string | RegExp
  /** Widths in pixels; default 1280. */
  readonly widths?: readonly number[]
  readonly colours?: readonly ('light' | 'dark')[]
  act?(page: Page, world: World): Promise<void>
  after?(page: Page): Promise<void>
}

const everyWidth = [900, 1280, 2560]
const press = (name: string | RegExp) => async (page: Page) =>
  page.getByRole('button', { name }).first().click()

export const shots: readonly Shot[] = [
  { name: 'start', address: '/start', filled: 'Claude Desktop', widths: [900, 1280] },
  {
    name: 'start-tried',
    address: '/start',
    filled: 'Try it without an app',
    widths: [900, 1280],
    act: async (page, { projectFolder }) => {
      await page.getByLabel('Folder', { exact: true }).fill(projectFolder)
      await page.getByRole('button', { name: 'Call it' }).click()
      await page.getByText('The original is kept').waitFor()
      await page.getByText('The original is kept').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'start-tree',
    address: '/start',
    filled: 'Try it without an app',
    act: async (page, { projectFolder }) => {
      await page.getByLabel('Folder', { exact: true }).fill(projectFolder)
      await page.getByRole('button', { name: 'Call it' }).click()
      await page.getByRole('button', { name: 'As a tree' }).click()
      await page.getByRole('region', { name: 'The original as a tree' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'start-wrap-all',
    address: '/start',
    filled: 'Claude Desktop',
    act: async (page) => {
      await page.getByRole('button', { name: /^Wrap all/ }).click()
      await page.getByText(/You approve \d+ definitions|Nothing new to approve|Nothing to approve/).waitFor()
    },
  },
  {
    name: 'keys',
    address: '/',
    filled: 'Kept out of context',
    act: async (page) => page.keyboard.press('?'),
  },
  { name: 'overview', address: '/', filled: 'Kept out of context', widths: everyWidth },
  { name: 'overview-week', address: '/?range=7&by=tool', filled: 'Kept out of context' },
  { name: 'activity', address: '/activity', filled: 'files · read_text_file', widths: everyWidth },
  {
    name: 'activity-call',
    address: '/activity?only=shortened',
    filled: 'files · read_text_file',
    act: async (page) => {
      await press(/read_text_file/)(page)
      await page.getByText('Where the time went').waitFor()
    },
    widths: [900, 1280],
  },
  { name: 'activity-none', address: '/activity?text=nothing-has-this-name', filled: 'No call fits' },
  { name: 'results', address: '/results', filled: 'files · read_text_file' },
  {
    name: 'result',
    address: '/results',
    filled: 'files · read_text_file',
    widths: everyWidth,
    act: async (page) => {
      await press(/directory_tree/)(page)
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
    },
  },
  {
    name: 'result-explored',
    address: '/results',
    filled: 'files · read_text_file',
    act: async (page) => {
      await press(/directory_tree/)(page)
      await page.getByRole('button', { name: 'Explore', exact: true }).click()
      await page.getByRole('button', { name: 'search', exact: true }).click()
      await page.getByLabel(/^pattern/).fill('guard')
      await page.getByRole('button', { name: 'Look', exact: true }).click()
      await page.getByText(/costs [\d,]+ tokens/).scrollIntoViewIfNeeded()
    },
  },
  { name: 'servers', address: '/servers', filled: 'running', widths: everyWidth },
  { name: 'server', address: '/servers/files', filled: 'In every conversation', widths: [900, 1280] },
  { name: 'server-failed', address: '/servers/git', filled: 'Started as' },
  { name: 'server-new', address: '/servers?add=form', filled: 'Command' },
  {
    name: 'server-edit',
    address: '/servers/memory?view=edit',
    filled: 'Command',
    act: async (page) => page.getByText('Time limits, and policies').click(),
  },
  {
    name: 'server-paste',
    address: '/servers?add=paste',
    filled: 'Any client’s configuration',
    act: async (page) => {
      await page
        .getByLabel(/Any client/)
        .fill(
          '{ "mcpServers": { "git": { "command": "uvx", "args": ["mcp-server-git"] }, "time": { "command": "uvx", "args": ["mcp-server-time"], "env": { "ZONE": "Europe/Berlin" } } } }',
        )
      await page.getByRole('button', { name: 'See what is in it' }).click()
      await page.getByRole('button', { name: /once and look/ }).waitFor()
    },
  },
  {
    name: 'server-add',
    address: '/servers?add=paste',
    filled: 'Any client’s configuration',
    act: async (page) => {
      await page
        .getByLabel(/Any client/)
        .fill('{ "mcpServers": { "sums": { "command": "mcp-server-everything", "args": ["stdio"] } } }')
      await page.getByRole('button', { name: 'See what is in it' }).click()
      await page.getByRole('button', { name: /once and look/ }).click()
      await page.getByText(/You approve \d+ definitions/).waitFor()
    },
    widths: [900, 1280],
  },
  {
    name: 'server-import',
    address: '/servers?add=import',
    filled: 'Nothing is started before',
    act: async (page) => {
      await page.getByRole('combobox').selectOption({ index: 1 })
      await page.getByRole('button', { name: /once and look/ }).click()
      await page.getByText('memory').first().waitFor()
    },
  },
  {
    name: 'guide',
    address: '/guide/approve-a-change',
    filled: 'All pages of the guide',
    widths: [900, 1280],
  },
  { name: 'tools', address: '/tools', filled: 'read_note', widths: everyWidth },
  {
    name: 'tool',
    address: '/tools/files/read_text_file',
    filled: 'The server’s own words',
    widths: [900, 1280],
  },
  {
    name: 'tool-try',
    address: '/tools/files/directory_tree?view=try',
    filled: 'Call directory_tree',
    act: async (page, { projectFolder }) => {
      await page.getByLabel(/^path/).fill(projectFolder)
      await page.getByRole('button', { name: 'Call directory_tree' }).click()
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
    },
  },
  { name: 'clients', address: '/clients', filled: 'Claude Desktop', widths: [900, 1280] },
  {
    name: 'clients-own-tools',
    address: '/clients',
    filled: 'Claude Code',
    act: press('Cover its own tools'),
    after: async (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'client-wrap',
    address: '/clients',
    filled: 'Claude Desktop',
    act: async (page) => {
      await press(/^Wrap my Claude Desktop/)(page)
      await page.getByRole('button', { name: 'Change of the file' }).click()
      await page.locator('.added').first().waitFor()
    },
  },
  { name: 'approvals', address: '/approvals', filled: 'delete_note', widths: everyWidth },
  { name: 'approve-window', address: '/approve/notes', filled: 'waits for your decision', widths: [620] },
  { name: 'approvals-doubt', address: '/approvals', filled: 'delete_note', act: press('Approve all') },
  { name: 'approvals-history', address: '/approvals?view=history', filled: 'trusted at first sight' },
  { name: 'quarantine', address: '/quarantine', filled: 'web · fetch_page' },
  {
    name: 'quarantined',
    address: '/quarantine',
    filled: 'web · fetch_page',
    act: press(/fetch_page/),
    widths: [900, 1280],
  },
  {
    name: 'quarantined-never',
    address: '/quarantine',
    filled: 'web · fetch_page',
    act: async (page) => {
      await press(/fetch_page/)(page)
      await press('Stop checking this tool')(page)
    },
  },
  {
    name: 'notices',
    address: '/quarantine',
    filled: 'web · fetch_page',
    act: async (page) => {
      await press(/fetch_page/)(page)
      for (let twice = 0; twice < 2; twice++) await press('Stop checking this tool')(page)
      await page.getByText('are no longer quarantined').first().waitFor()
      await page.route('**/rpc/switch/**', (route) => route.abort())
      await page.getByRole('switch', { name: 'Sluice is on' }).click()
      await page.getByText('The switch stays as it was').first().waitFor()
    },
    after: async (page) => {
      await page.unroute('**/rpc/switch/**')
      await press('Undo')(page)
      await page.getByText('Stop checking this tool').waitFor()
    },
  },
  {
    name: 'models',
    address: '/models',
    filled: 'On this machine',
    widths: [900, 1280],
    act: async (page) => {
      const download = page.getByRole('button', { name: /^(Download Our|Resume)/ })
      if ((await download.count()) > 0) await download.click()
      await page.getByText(/ left$/).waitFor()
    },
  },
  {
    name: 'models-tested',
    address: '/models',
    filled: 'On this machine',
    act: async (page) => {
      await page.getByRole('button', { name: 'Test it' }).click()
      await page
        .getByRole('region', { name: 'The test' })
        .getByText(/tokens\/s/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'models-endpoint',
    address: '/models',
    filled: 'On this machine',
    act: async (page) => page.getByRole('region', { name: 'Endpoint' }).scrollIntoViewIfNeeded(),
  },
  { name: 'settings', address: '/settings', filled: 'Shortened to, tokens', widths: everyWidth },
  {
    name: 'settings-text',
    address: '/settings?view=text',
    filled: 'mcp-server-memory',
    act: async (page) => {
      await page.getByText('"logLevel"').click()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.keyboard.type('"mask')
      await page.locator('.cm-tooltip-autocomplete').waitFor()
    },
  },
  {
    name: 'settings-detectors',
    address: '/settings?text=detector',
    filled: 'Further detectors',
    act: press('Add a detector'),
  },
  {
    name: 'settings-prices',
    address: '/settings?text=price',
    filled: 'A million tokens',
    widths: [900, 1280],
  },
  {
    name: 'settings-budgets',
    address: '/settings?text=budget',
    filled: 'Add a budget',
    widths: [900, 1280],
  },
  {
    name: 'settings-profiles',
    address: '/settings?text=profiles',
    filled: 'Add a profile',
    widths: [900, 1280],
  },
  { name: 'settings-masking', address: '/settings?text=masking', filled: 'Hidden from' },
  {
    name: 'replay',
    address: '/replay',
    filled: 'Sessions to read',
    widths: [900, 1280],
    act: async (page) => {
      await page.getByRole('button', { name: 'Replay them' }).click()
      await page.getByText('Saved of the whole').waitFor({ timeout: 60_000 })
    },
  },
  {
    name: 'replay-loss',
    address: '/replay',
    filled: 'Where it would have lost most',
    widths: [900, 1280],
    act: async (page) => {
      await page
        .getByRole('button', { name: /Claude Code · Bash/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
    },
  },
  {
    name: 'settings-masking',
    address: '/settings?text=personal',
    filled: 'Patterns of your own',
    act: press('Add a pattern'),
  },
  {
    name: 'settings-import',
    address: '/settings',
    filled: 'Shortened to, tokens',
    act: async (page) => {
      const text = '{ "logLevel": "info", "servers": {} }'
      await page
        .getByLabel('File to import')
        .setInputFiles({ name: 'sluice.json', mimeType: 'application/json', buffer: Buffer.from(text) })
      await page.getByText('This replaces your config.json').waitFor()
    },
  },
  { name: 'settings-folder', address: '/settings?text=folder', filled: 'Data folder' },
  { name: 'logs', address: '/logs', filled: 'server connected', widths: [900, 1280] },
  {
    name: 'palette',
    address: '/',
    filled: 'Kept out of context',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(/Screen, server/).fill('tokens')
    },
  },
  {
    name: 'offline',
    address: '/activity',
    filled: 'files · read_text_file',
    // Blocks the network, like a stopped engine; loaded data stays.
    act: async (page) => {
      await page.context().setOffline(true)
      await page.route('**/rpc/**', (route) => route.abort())
      await page.getByRole('button', { name: 'Shortened' }).click()
      await page.getByText('can’t be read').waitFor()
    },
    after: async (page) => {
      await page.unroute('**/rpc/**')
      await page.context().setOffline(false)
    },
  },
]
