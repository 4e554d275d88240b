import { expect, describe, it } from 'vitest'
import { seriousFaults } from '../../helpers/axe.ts'
import type { OpenScreens } from './open-screens.ts'
import { tooThin } from './too-thin.ts'
import { tooWide } from './too-wide.ts'
import { walk } from './walk.ts'

/** Each screen, with an element that only a filled one has. Views of one page are walked through once. */
const screens: readonly {
  readonly name: string
  readonly hash: string
  readonly filled: string
  readonly isWalked: boolean
}[] = [
  { name: 'Overview', hash: '/', filled: 'Kept out of context', isWalked: true },
  { name: 'Activity', hash: '/activity', filled: 'archive · json', isWalked: true },
  { name: 'Results', hash: '/results', filled: 'archive · prose', isWalked: true },
  { name: 'Replay', hash: '/replay', filled: 'Sessions to read', isWalked: true },
  { name: 'Servers', hash: '/servers', filled: 'running', isWalked: false },
  { name: 'a server', hash: '/servers/archive', filled: 'In every conversation', isWalked: true },
  { name: 'a new server', hash: '/servers?add=form', filled: 'Command', isWalked: false },
  { name: 'Tools', hash: '/tools', filled: 'read_note', isWalked: false },
  { name: 'a tool', hash: '/tools/archive/json', filled: 'The server’s own words', isWalked: true },
  { name: 'a trial', hash: '/tools/archive/json?view=try', filled: 'Call json', isWalked: true },
  { name: 'Clients', hash: '/clients', filled: 'Wrap my Claude Desktop server', isWalked: true },
  { name: 'Approvals', hash: '/approvals', filled: 'delete_note', isWalked: true },
  {
    name: 'the history',
    hash: '/approvals?view=history',
    filled: 'trusted at first sight',
    isWalked: false,
  },
  { name: 'Quarantine', hash: '/quarantine', filled: 'mail · in_text', isWalked: true },
  { name: 'Models', hash: '/models', filled: 'On this machine', isWalked: true },
  { name: 'Settings', hash: '/settings', filled: 'Shortened to, tokens', isWalked: false },
  { name: 'found settings', hash: '/settings?text=price', filled: 'A million tokens', isWalked: true },
  { name: 'config.json', hash: '/settings?view=text', filled: '"approvals"', isWalked: true },
  { name: 'profiles', hash: '/settings?text=profiles', filled: 'Add a profile', isWalked: true },
  { name: 'the start page', hash: '/start', filled: 'Try it without an app', isWalked: true },
  { name: 'the guide', hash: '/guide/hide-tools', filled: 'All pages of the guide', isWalked: false },
  { name: 'Logs', hash: '/logs', filled: 'server connected', isWalked: true },
]

/** Temporary states: how to reach them, and the changed part of the page. */
const states: readonly {
  readonly name: string
  readonly hash: string
  readonly filled: string
  readonly act?: (place: OpenScreens) => Promise<unknown>
  readonly within: string
}[] = [
  {
    name: 'the palette',
    hash: '/',
    filled: 'Kept out of context',
    act: async ({ page }) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(/Screen, server/).fill('a')
    },
    within: '[role=dialog]',
  },
  {
    name: 'an import',
    hash: '/settings',
    filled: 'Shortened to, tokens',
    act: async ({ page, importFile }) => {
      await page.getByLabel('File to import').setInputFiles(importFile)
      await page.getByText('This replaces your config.json').waitFor()
    },
    within: '[role=dialog]',
  },
  {
    name: 'a call in full',
    hash: '/activity',
    filled: 'archive · json',
    act: async ({ page }) => {
      await page
        .getByRole('button', { name: /archive · json/ })
        .first()
        .click()
      await page.getByText('Where the time went').waitFor()
    },
    within: 'aside',
  },
  {
    name: 'a result',
    hash: '/results',
    filled: 'archive · json',
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'archive · json' }).first().click()
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
    },
    within: 'aside',
  },
  {
    name: 'a result as a tree, with a find',
    hash: '/results',
    filled: 'archive · json',
    act: async ({ page, world }) => {
      const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] }))
      await world.call('archive', 'echo', { text: JSON.stringify({ rows }) })
      await page.getByRole('button', { name: 'archive · echo' }).click()
      await page.getByRole('button', { name: 'As a tree' }).click()
      await page.getByRole('searchbox', { name: 'Search in the result' }).fill('a')
      await page.locator('mark.current').waitFor()
    },
    within: 'aside',
  },
  {
    name: 'what explores a result',
    hash: '/results?view=explore',
    filled: 'archive · json',
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'archive · json' }).first().click()
      await page.getByText('Explore it as the model can').waitFor()
    },
    within: 'aside',
  },
  {
    name: 'a search of the registry',
    hash: '/servers?add=paste',
    filled: 'Any client’s configuration',
    act: ({ page }) => page.getByText('Search the registry of MCP servers').click(),
    within: 'aside',
  },
  {
    name: 'something quarantined, and a question',
    hash: '/quarantine',
    filled: 'mail · in_text',
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'mail · in_text' }).first().click()
      await page.getByRole('button', { name: 'Stop checking this tool' }).click()
    },
    within: 'aside',
  },
  {
    name: 'an approval with a doubt',
    hash: '/approvals',
    filled: 'delete_note',
    act: ({ page }) => page.getByRole('button', { name: 'Approve all' }).click(),
    within: 'main',
  },
  {
    name: 'denied definitions',
    hash: '/approvals?view=denied',
    filled: 'Nothing is denied',
    within: 'main',
  },
  {
    name: 'a detector',
    hash: '/settings?text=detector',
    filled: 'Further detectors',
    act: ({ page }) => page.getByRole('button', { name: 'Add a detector' }).click(),
    within: '#settings-guardDetectors',
  },
  {
    name: 'a pattern',
    hash: '/settings?text=personal',
    filled: 'Patterns of your own',
    act: ({ page }) => page.getByRole('button', { name: 'Add a pattern' }).click(),
    within: 'main',
  },
  {
    name: 'servers before they are wrapped',
    hash: '/clients',
    filled: 'Wrap my Claude Desktop server',
    act: async ({ page }) => {
      await page.getByRole('button', { name: 'Wrap my Claude Desktop server' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Approve and wrap|Wrap) / })
        .and(page.locator(':enabled'))
        .waitFor()
    },
    within: '[role=dialog]',
  },
  {
    name: 'pasted servers',
    hash: '/servers?add=paste',
    filled: 'Any client’s configuration',
    act: async ({ page }) => {
      await page.getByLabel(/Any client/).fill('{ "mcpServers": { "a": { "command": "b" } } }')
      await page.getByRole('button', { name: 'See what is in it' }).click()
      await page.getByRole('button', { name: 'Start this server once and look' }).waitFor()
    },
    within: 'main',
  },
  {
    name: 'a server and its policies',
    hash: '/servers/archive?view=edit',
    filled: 'Command',
    act: ({ page }) => page.getByText('Time limits, and policies').click(),
    within: 'main',
  },
  { name: 'a server that failed', hash: '/servers/broken', filled: 'Started as', within: 'main' },
  {
    name: 'proposals in the editor',
    hash: '/settings?view=text',
    filled: '"approvals"',
    act: async ({ page }) => {
      await page.getByText('"approvals"').click()
      await page.keyboard.press('Home')
      await page.keyboard.type('"c')
      await page.locator('.cm-tooltip-autocomplete').waitFor()
    },
    within: '.cm-tooltip-autocomplete',
  },
]

/** Findings of axe, and reachability without a mouse. */
export function describeEachScreen(use: () => OpenScreens): void {
  it.each(screens)(
    'shows $name filled; axe finds nothing serious in light or dark, Tab reaches all of it in sight, nothing is too wide or too thin',
    async ({ hash, filled, isWalked }) => {
      const { page, open } = use()
      await open(hash, filled)
      expect(await seriousFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)
      await expect.poll(() => tooWide(page)).toEqual([])
      await page.setViewportSize({ width: 900, height: 800 })
      await expect.poll(() => tooWide(page)).toEqual([])
      // A window of 1,280 pixels, zoomed to 400 %.
      await page.setViewportSize({ width: 320, height: 800 })
      await expect.poll(() => tooWide(page, { tables: false })).toEqual([])
      expect(await tooThin(page)).toEqual([])
      await page.setViewportSize({ width: 1280, height: 800 })
      if (isWalked) expect(await walk(page)).toEqual({ missed: [], unseen: [] })
    },
  )

  describe('axe finds nothing serious, light or dark, and nothing is too wide or too thin in', () => {
    it.each(states)('$name', async ({ hash, filled, act, within }) => {
      const place = use()
      // What was opened on the last screen goes with it, but for the palette.
      await place.page.keyboard.press('Escape')
      await place.open(hash, filled)
      await act?.(place)
      expect(await seriousFaults(place.page, within)).toEqual([])
      await place.page.setViewportSize({ width: 320, height: 800 })
      await expect.poll(() => tooWide(place.page, { tables: false })).toEqual([])
      expect(await tooThin(place.page)).toEqual([])
      await place.page.setViewportSize({ width: 1280, height: 800 })
    })
  })
}
