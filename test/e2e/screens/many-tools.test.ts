import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { writeConfig } from '../../helpers/data-folder.ts'
import { startEngine, type RunningEngine } from '../../helpers/running-engine.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

const executable = findBrowser()
const isBuilt = existsSync(resolve(import.meta.dirname, '../../../dist/renderer/index.html'))
const COUNT = 1_200

describe.skipIf(executable === undefined || !isBuilt)('a list of 1,200 tools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  let engine: RunningEngine
  let browser: Browser
  let page: Page
  const rows = () => page.locator('tbody tr:not(.room)')

  beforeAll(async () => {
    const offer = join(folder, 'offer.json')
    const tools = Array.from({ length: COUNT }, (_, index) => ({
      name: `tool_${index + 1}`,
      description: `Does thing ${index + 1}.`,
      inputSchema: { type: 'object' },
    }))
    writeFileSync(offer, JSON.stringify({ tools }))
    const server = resolve(import.meta.dirname, '../../fixtures/servers/changeable.ts')
    const dataDir = writeConfig(join(folder, 'data'), {
      many: { command: process.execPath, args: [server, offer] },
    })
    engine = await startEngine(dataDir)
    browser = await startBrowser(executable ?? '')
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(/screens:\s+(\S+)/.exec(engine.output())?.[1] ?? '')
    await page.goto(`${engine.url}/#/servers/many`)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page
      .getByText(/1,200 tools/)
      .first()
      .waitFor()
    await page.goto(`${engine.url}/#/tools`)
    await page.getByText('1,200 tools').first().waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await engine?.stop()
    removeFolder(folder)
  })

  it('renders the rows in sight, and others when they come into sight', async () => {
    await page.getByText('tool_1 · many').waitFor()
    expect(await rows().count()).toBeLessThan(100)
    const height = () => page.locator('table').evaluate((table) => table.clientHeight)
    const before = await height()
    await page.getByRole('region', { name: 'Tools' }).evaluate((list) => (list.scrollTop = list.scrollHeight))
    await page.getByText('tool_1200 · many').waitFor()
    expect(await rows().count()).toBeLessThan(100)
    expect(await height()).toBe(before)
  })

  it('brings a tool into sight that the address names', async () => {
    await page.goto(`${engine.url}/#/tools/many/tool_700`)
    await expect.poll(() => page.locator('tr[aria-selected="true"]').innerText()).toContain('tool_700')
    expect(await page.locator('tr[aria-selected="true"]').getAttribute('aria-rowindex')).toBe('701')
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/tool_701/)
    await expect.poll(() => page.locator('tr[aria-selected="true"]').isVisible()).toBe(true)
  })

  it('brings a tool into sight also where the list has just been scrolled away from it', async () => {
    await page.goto(`${engine.url}/#/tools/many/tool_700`)
    const chosen = page.locator('tr[aria-selected="true"]')
    await expect.poll(() => chosen.innerText()).toContain('tool_700')
    await page.getByRole('region', { name: 'Tools' }).evaluate((list) => {
      // In the task in which the router reads the address: the scroll is announced later.
      addEventListener('popstate', () => (list.scrollTop = 0), { once: true, capture: true })
      location.hash = '#/tools/many/tool_702'
    })
    await expect.poll(() => chosen.innerText()).toContain('tool_702')
  })

  it('shows the name of a server beside its tool also in the narrow list, and icons in their size', async () => {
    await page.setViewportSize({ width: 900, height: 650 })
    const search = page.getByRole('banner').locator('.find svg')
    const [icon, theme] = await Promise.all(
      [search, page.getByRole('banner').locator('.themes svg').first()].map((one) => one.boundingBox()),
    )
    expect(icon?.width).toBe(theme?.width)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${engine.url}/#/tools/many/tool_700`)
    const server = page.locator('tr[aria-selected="true"] .server')
    await expect.poll(() => server.innerText()).toContain('many')
    expect(await server.evaluate((name) => name.scrollWidth - name.clientWidth)).toBe(0)
  })

  it('chooses all that a search found, also those out of sight', async () => {
    await page.goto(`${engine.url}/#/tools?text=thing%201`)
    await page.getByText(/tools of 1,200 found/).waitFor()
    await page.getByRole('checkbox', { name: 'Choose all these tools' }).check()
    await page.getByRole('region', { name: 'Chosen tools' }).getByText('312 tools').waitFor()
    await page.getByRole('button', { name: 'Hide', exact: true }).click()
    await page.getByText('312 tools hidden', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.goto(`${engine.url}/#/tools?which=hidden`)
    await page.getByText('No tool fits').first().waitFor()
  })

  it('says so where an address names a server or a tool that is not there', async () => {
    await page.goto(`${engine.url}/#/servers/gone`)
    await page.getByText('There is no server “gone” in the settings.').waitFor()
    await page.goto(`${engine.url}/#/tools/gone`)
    await page.getByText('No tools of a server “gone” were seen.').waitFor()
    await page.goto(`${engine.url}/#/tools/many/gone`)
    await page.getByText('The server “many” has no tool “gone”.').waitFor()
    await page.goto(`${engine.url}/#/tools/many/tool_700`)
    await page.getByText('The server “many” has no tool').waitFor({ state: 'detached' })
  })
})
