import type { Page } from 'playwright-core'
import type { Crowd } from './crowd.ts'
import type { Shot } from './shots.ts'

const first = (name: string | RegExp) => async (page: Page) =>
  page.getByRole('button', { name }).first().click()
const firstRow = async (page: Page) => page.locator('tbody tr button').first().click()

export const crowdSizes = [
  { width: 900, height: 600 },
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
] as const

/** Every screen of a crowded engine, and what opens in it. */
export const crowdShots: readonly Shot<Crowd>[] = [
  { name: 'start', address: '/start', filled: 'Claude Desktop' },
  {
    name: 'start-wrap',
    address: '/start',
    filled: 'Claude Desktop',
    act: async (page) => {
      await page.getByRole('button', { name: /^Wrap/ }).first().click()
      await page
        .getByText(/You approve|Nothing to approve|not be/)
        .first()
        .waitFor()
    },
  },
  { name: 'overview', address: '/', filled: 'Kept out of context' },
  {
    name: 'overview-end',
    address: '/?range=30&by=tool',
    filled: 'Kept out of context',
    act: async (page) => page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight)),
  },
  { name: 'activity', address: '/activity', filled: 'mail · ' },
  {
    name: 'activity-call',
    address: '/activity',
    filled: 'mail · ',
    act: async (page) => {
      await firstRow(page)
      await page.locator('aside').getByText('Tokens').first().waitFor()
    },
  },
  { name: 'activity-none', address: '/activity?text=nothing-has-this-name', filled: 'No call fits' },
  { name: 'results', address: '/results', filled: 'archive' },
  ...(['json', 'log', 'prose'] as const).map((kind) => ({
    name: `result-${kind}`,
    address: '/results',
    filled: 'archive',
    act: async (page: Page) => {
      await page
        .getByLabel(/Search/)
        .first()
        .fill(kind)
      await page
        .getByRole('button', { name: `archive · ${kind}` })
        .last()
        .click()
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
    },
  })),
  ...(['budget', 'explore'] as const).map((view) => ({
    name: `result-${view}`,
    address: `/results?view=${view}`,
    filled: 'archive',
    act: async (page: Page) => page.getByRole('button', { name: 'archive · json' }).first().click(),
  })),
  { name: 'servers', address: '/servers', filled: 'running' },
  {
    name: 'server',
    address: '/servers/organizationwide-customer-records-server',
    filled: 'In every conversation',
  },
  { name: 'server-failed', address: '/servers/not-there', filled: 'Started as' },
  { name: 'server-remote', address: '/servers/remote-away', filled: 'Address' },
  { name: 'server-edit', address: '/servers/github?view=edit', filled: 'Command' },
  { name: 'server-new', address: '/servers?add=form', filled: 'Command' },
  { name: 'server-paste', address: '/servers?add=paste', filled: 'Any client’s configuration' },
  { name: 'server-import', address: '/servers?add=import', filled: 'Nothing is started before' },
  { name: 'tools', address: '/tools', filled: 'tools, ' },
  {
    name: 'tools-chosen',
    address: '/tools?by=server',
    filled: 'tools, ',
    act: async (page) => page.getByRole('checkbox', { name: 'Choose all these tools' }).check(),
  },
  { name: 'tool', address: '/tools/github/list_issue', filled: 'The server’s own words' },
  {
    name: 'tool-long',
    address: '/tools/translate/synchronizeOrganizationwideCustomerRelationshipManagementRecordsIncrementally',
    filled: 'The server’s own words',
  },
  { name: 'tool-try', address: '/tools/archive/json?view=try', filled: 'Call json' },
  { name: 'clients', address: '/clients', filled: 'Claude Desktop' },
  {
    name: 'clients-end',
    address: '/clients',
    filled: 'Claude Desktop',
    act: async (page) => page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight)),
  },
  { name: 'approvals', address: '/approvals', filled: 'changes' },
  {
    name: 'approvals-doubt',
    address: '/approvals',
    filled: 'changes',
    act: async (page) =>
      page
        .locator('section, .card')
        .filter({ hasText: 'organizationwide' })
        .getByRole('button', { name: 'Approve all' })
        .first()
        .click(),
  },
  { name: 'approvals-history', address: '/approvals?view=history', filled: 'trusted at first sight' },
  { name: 'approve-window', address: '/approve/github', filled: 'github' },
  { name: 'quarantine', address: '/quarantine', filled: 'mail · in_text' },
  { name: 'quarantined', address: '/quarantine', filled: 'mail · in_text', act: first(/mail · in_text/) },
  { name: 'models', address: '/models', filled: 'On this machine' },
  { name: 'replay', address: '/replay', filled: 'Sessions to read' },
  { name: 'settings', address: '/settings', filled: 'Shortened to, tokens' },
  { name: 'settings-profiles', address: '/settings?text=profiles', filled: 'Add a profile' },
  { name: 'settings-budgets', address: '/settings?text=budget', filled: 'Add a budget' },
  { name: 'settings-text', address: '/settings?view=text', filled: '"approvals"' },
  { name: 'logs', address: '/logs', filled: 'server connected' },
  { name: 'guide', address: '/guide/approve-a-change', filled: 'All pages of the guide' },
  {
    name: 'palette',
    address: '/',
    filled: 'Kept out of context',
    act: async (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'keys',
    address: '/',
    filled: 'Kept out of context',
    act: async (page) => page.keyboard.press('?'),
  },
]
