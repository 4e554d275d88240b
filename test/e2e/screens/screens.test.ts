import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { describeEachScreen } from './each-screen.ts'
import { startFilledEngine, type FilledEngine } from './filled-engine.ts'
import { describeKeyboard } from './keyboard.ts'
import { describeKeyboardWalk } from './keyboard-walk.ts'
import { describePrintedReport } from './printed-report.ts'
import type { OpenScreens } from './open-screens.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

// In a browser, from a real engine with real servers. Needs `npm run build`.

const executable = findBrowser()
const isBuilt = existsSync(resolve(import.meta.dirname, '../../../dist/renderer/index.html'))
if (!isBuilt) console.warn('The screens are not built, so they are not tested: npm run build')

describe.skipIf(executable === undefined || !isBuilt)('the screens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const importFile = join(folder, 'import.json')
  let world: FilledEngine
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const troubles: string[] = []
  const asked = new Set<string>()

  /** Refused requests since the last call: the browser reports them as errors. */
  const refusals = (): number => {
    const others = troubles.filter((trouble) => !trouble.includes('status of 400'))
    const count = troubles.length - others.length
    troubles.splice(0, Infinity, ...others)
    return count
  }

  const open = async (hash: string, filled: string): Promise<void> => {
    await page.goto(`${world.engine.url}/#${hash}`)
    await page.getByText(filled).first().waitFor({ state: 'visible' })
  }
  const use = (): OpenScreens => ({
    world,
    page,
    importFile,
    open,
    openAnew: async (hash, filled, width = 1280) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('about:blank')
      await open(hash, filled)
    },
  })

  beforeAll(async () => {
    world = await startFilledEngine(folder)
    await world.changeOffer()
    writeFileSync(importFile, '{ "servers": { "other": { "command": "other" } } }')
    browser = await startBrowser(executable ?? '')
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(error.message))
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url())) asked.add(new URL(request.url()).origin)
    })
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
      )
    })
    await page.goto(world.link)
  })

  afterAll(async () => {
    await browser?.close()
    await world?.stop()
    removeFolder(folder)
  })

  describeEachScreen(use)

  it('cuts no words of the bar, and keeps a title apart from what is beside it, at any width', async () => {
    await open('/', 'Kept out of context')
    for (const width of [1280, 1000, 800, 640, 400]) {
      await page.setViewportSize({ width, height: 800 })
      const cut = (): Promise<boolean> =>
        page.locator('.find .words').evaluate((words) => {
          const isHidden = words.clientWidth <= 1
          return !isHidden && words.scrollWidth > words.clientWidth
        })
      await expect.poll(cut, { message: String(width) }).toBe(false)
      const title = await page.getByRole('heading', { name: 'Overview' }).boundingBox()
      const save = await page.getByRole('button', { name: 'Save report' }).boundingBox()
      const isBelow = (save?.y ?? 0) >= (title?.y ?? 0) + (title?.height ?? 0)
      const isApart = (save?.x ?? 0) >= (title?.x ?? 0) + (title?.width ?? 0) + 8
      expect({ width, isClear: isBelow || isApart }).toEqual({ width, isClear: true })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('cuts nothing off a row of the quarantine while one is open', async () => {
    await open('/quarantine', 'mail · in_text')
    await page.getByRole('button', { name: 'mail · in_text' }).first().click()
    await page.getByText('Why it was stopped').waitFor()
    const list = await page.getByRole('region', { name: 'Quarantined results' }).boundingBox()
    const tag = await page.locator('tbody .tag').first().boundingBox()
    expect((tag?.x ?? 0) + (tag?.width ?? Infinity)).toBeLessThan((list?.x ?? 0) + (list?.width ?? 0))
  })

  it('opens one call with the keyboard, moves on with the arrows, and closes it', async () => {
    await open('/activity', 'archive · json')
    await page.keyboard.press('ArrowDown')
    await page.waitForURL(/#\/activity\/.+/)
    const first = page.url()
    await page.keyboard.press('ArrowDown')
    await page.waitForURL((url) => url.href !== first)
    await page.keyboard.press('Escape')
    await page.waitForURL(/#\/activity$/)
  })

  it('goes anywhere from the palette', async () => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Screen, server, tool, action or setting').fill('read_note')
    await page.getByRole('option', { name: /read_note/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/tools\/notes\/read_note/)
  })

  it('moves nothing where motion is reduced', async () => {
    const moving = () =>
      page.evaluate(() => {
        const lasts = (times: string): boolean => times.split(',').some((time) => Number.parseFloat(time) > 0)
        return [...document.querySelectorAll('*')].filter((element) =>
          [undefined, '::before', '::after'].some((part) => {
            const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, part)
            return (animationName !== 'none' && lasts(animationDuration)) || lasts(transitionDuration)
          }),
        ).length
      })
    const openAll = async (): Promise<number> => {
      await use().openAnew('/start', 'Try it without an app')
      const onPage = await moving()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      return onPage + (await moving())
    }
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await openAll()).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await openAll()).toBe(0)
    await page.keyboard.press('Escape')
  })

  it('moves the figure as a call happens', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await open('/', 'Kept out of context')
    const figure = page.locator('.figure')
    const before = await figure.textContent()
    await world.call('archive', 'log', { bytes: 80_000, seed: 7 })
    await page.waitForFunction((old) => document.querySelector('.figure')?.textContent !== old, before)
    // Each frame of a movement costs processor time, which no later test looks at.
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })

  it('draws its chart in the colours of the theme that was chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await open('/', 'Kept out of context')
    await page.locator('canvas').first().waitFor()
    // An earlier try's choice is still in effect.
    await page.getByRole('button', { name: 'Colours of the system' }).click()
    const kept = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--kept').trim())
    /** Of the axis's first label and of the areas: every colour of at least some dozens of pixels. */
    const drawn = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas')
        if (!canvas) return []
        const copy = new OffscreenCanvas(canvas.width, canvas.height)
        const context = copy.getContext('2d', { willReadFrequently: true })
        context?.drawImage(canvas, 0, 0)
        const points = context?.getImageData(0, 0, copy.width, copy.height).data ?? []
        const counts = new Map<string, number>()
        for (let at = 0; at < points.length; at += 4) {
          if ((points[at + 3] ?? 0) < 200) continue
          const colour = `${points[at]},${points[at + 1]},${points[at + 2]}`
          counts.set(colour, (counts.get(colour) ?? 0) + 1)
        }
        return [...counts].filter(([, count]) => count > 30).map(([colour]) => colour)
      })
    // The first drawing is animated.
    let before = await drawn()
    await expect
      .poll(async () => {
        const last = before
        before = await drawn()
        return before.length > 0 && before.join(' ') === last.join(' ')
      })
      .toBe(true)
    const light = await kept()
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    await expect.poll(kept).not.toBe(light)
    await expect.poll(async () => (await drawn()).some((colour) => before.includes(colour))).toBe(false)
    await page.getByRole('button', { name: 'Colours of the system' }).click()
  })

  it('counts the tokens of a description as it is typed, and shows the saved one', async () => {
    await open('/tools/archive/json', 'The server’s own words')
    const count = page.locator('.cost strong')
    const before = await count.textContent()
    const words = page.getByLabel('What the model reads')
    expect(await words.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe('plaintext')
    await words.fill('JSON of that many bytes.')
    await page.waitForFunction((old) => document.querySelector('.cost strong')?.textContent !== old, before)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('json was changed').first().waitFor()
    await page.getByText('edited').first().waitFor()
  })

  it('keeps a hidden parameter that the server needs from being saved without a value', async () => {
    await open('/tools/archive/json', 'The server’s own words')
    await page.getByLabel('Hide bytes').check()
    await page.getByText('write the value here, or show it').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Every call of "json" would fail.').first().waitFor()
    expect(refusals()).toBe(1)
    await page.getByLabel('Value of bytes').fill('9000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('write the value here, or show it').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(JSON.stringify(await world.call('archive', 'json'))).toContain('proxy_')
  })

  it('suggests more for a tool whose results are always read back, and makes it so', async () => {
    for (const seed of [11, 12, 13, 14, 15, 16, 17, 18]) {
      const answer = JSON.stringify(await world.call('archive', 'log', { bytes: 60_000, seed }))
      const id = /r_[0-9a-f]+/.exec(answer)?.[0] ?? ''
      await world.call('archive', 'proxy_read', { id, offset: 0, limit: 100 })
    }
    await page.goto(`${world.engine.url}/#/tools/archive/log`)
    await page.reload()
    await page.getByText('the model wanted more than').waitFor()
    await page.getByRole('button', { name: 'Use that' }).click()
    await page.getByRole('button', { name: 'Use that' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    const config = JSON.parse(readFileSync(join(world.engine.dataDir, 'config.json'), 'utf8')) as {
      servers: { archive: { tools: { log: unknown } } }
    }
    expect(config.servers.archive.tools.log).toMatchObject({ compression: expect.anything() })
  })

  it('keeps a setting that was refused as it was typed, and says why beside it', async () => {
    await open('/settings?text=maxOutputTokens', 'Shortened to, tokens')
    const field = page.getByRole('spinbutton', { name: /Shortened to, tokens/ })
    await field.fill('-5')
    await field.press('Tab')
    await page.getByText('Not saved. Must be at least 100.').waitFor()
    expect(await field.inputValue()).toBe('-5')
    expect(refusals()).toBe(1)
    await field.fill('900')
    await field.press('Tab')
    await page.getByText(/^Not saved\./).waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('900')
    await field.fill('')
    await field.press('Tab')
    await expect
      .poll(() => readFileSync(join(world.engine.dataDir, 'config.json'), 'utf8'))
      .not.toMatch(/: 900\b/)
  })

  it('says above a form of several fields why a change of one was refused', async () => {
    await open('/settings?text=budgets', 'Add a budget')
    await page.getByLabel('Name of the budget').fill('team')
    await page.getByRole('button', { name: 'Add a budget' }).click()
    const amount = page.getByLabel('Amount of team')
    await amount.fill('-4')
    await amount.press('Tab')
    await page.getByText('Not saved. budgets.team.tokens: Must be more than 0.').waitFor()
    expect(refusals()).toBe(1)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText(/^Not saved\./).waitFor({ state: 'detached' })
  })

  it('tries a tool and shows what is left out', async () => {
    await open('/tools/archive/json?view=try', 'Call json')
    await page.getByLabel('bytes').fill('40000')
    await page.getByRole('button', { name: 'Call json' }).click()
    await page.getByRole('region', { name: 'The original, marked' }).waitFor()
  })

  it('looks at pasted servers before it adds them, and approves what was shown', async () => {
    const paged = {
      command: process.execPath,
      args: [resolve(import.meta.dirname, '../../fixtures/servers/paged.ts')],
    }
    await open('/servers?add=paste', 'Any client’s configuration')
    await page.getByLabel(/Any client/).fill(JSON.stringify({ mcpServers: { paged } }))
    await page.getByRole('button', { name: 'See what is in it' }).click()
    await page.getByRole('button', { name: 'Start this server once and look' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/You approve \d+ definitions of 1 server/).waitFor()
    // The header of the list behind covers its rows, but must not cover the dialog.
    const overIt = await dialog.evaluate((element) => {
      // Otherwise nothing behind a dialog is found at any point.
      document.body.style.pointerEvents = 'auto'
      const { left, top, width, height } = element.getBoundingClientRect()
      const steps = Array.from({ length: 24 }, (_, index) => (index + 0.5) / 24)
      const found = steps.flatMap((x) =>
        steps.map((y) => document.elementFromPoint(left + x * width, top + y * height)),
      )
      document.body.style.pointerEvents = 'none'
      const page = document.querySelector('#app')
      return [...new Set(found.filter((other) => page?.contains(other)).map((other) => other?.textContent))]
    })
    expect(overIt).toEqual([])
    await dialog.getByRole('button', { name: 'Approve and add paged' }).click()
    await page.waitForURL(/#\/servers\/paged$/)
    await open('/approvals?view=history', 'tool_24')
  })

  it('says beside the servers which of config.json is none of them, and why', async () => {
    const file = join(world.engine.dataDir, 'config.json')
    const before = readFileSync(file, 'utf8')
    await open('/servers', 'archive')
    const misspelt = before.replace(/"servers"\s*:\s*\{/, '$&"misspelt": {"comand": "npx"},')
    expect(misspelt).not.toBe(before)
    try {
      writeFileSync(file, misspelt)
      const said = page.getByRole('region', { name: 'Not in effect' })
      await said.getByText(/servers\.misspelt.*Did you mean "command"\?/).waitFor()
      await page.getByRole('link', { name: /A part of config\.json is not in effect/ }).click()
      await page.waitForURL(/#\/settings\?view=text$/)
    } finally {
      writeFileSync(file, before)
    }
    await open('/servers', 'archive')
    await page.getByRole('region', { name: 'Not in effect' }).waitFor({ state: 'detached' })
  })

  it('explores a kept original as the model can', async () => {
    await open('/results', 'archive · json')
    await page.getByRole('button', { name: 'archive · json' }).first().click()
    await page.getByRole('button', { name: 'Explore', exact: true }).click()
    await page.getByRole('button', { name: 'search', exact: true }).click()
    await page.getByLabel(/^pattern/).fill('user-62')
    await page.getByRole('button', { name: 'Look', exact: true }).click()
    await page.getByText(/costs [\d,]+ tokens/).waitFor()
  })

  it('shows a change word by word with its findings, and approves what was chosen', async () => {
    await open('/approvals', 'delete_note')
    await page.locator('ins', { hasText: 'Ignore' }).first().waitFor()
    await page.locator('mark').first().waitFor()
    await page
      .getByText(/sure\)/)
      .first()
      .waitFor()
    await page.getByRole('checkbox', { name: /delete_note/ }).check()
    await page.getByRole('button', { name: 'Approve 1 selected' }).click()
    await page.getByText('1 definition approved').first().waitFor()
    await page.getByRole('checkbox', { name: /delete_note/ }).waitFor({ state: 'detached' })
    expect(await page.getByRole('checkbox', { name: /read_note/ }).count()).toBe(1)
  })

  it('filters the log by level and by words, and each choice has its address', async () => {
    await open('/logs', 'server connected')
    const log = page.getByRole('log')
    await page.getByRole('button', { name: 'Warnings' }).click()
    await page.waitForURL(/level=warn/)
    await log.getByText('server connected').first().waitFor({ state: 'detached' })
    await log.getByText('server not available').first().waitFor()
    await page.getByRole('button', { name: 'Info' }).click()
    await page.getByLabel('Search the log').fill('server connected')
    await page.waitForURL(/text=server/)
    const lines = async (): Promise<number> => (await log.innerText()).split('server connected').length - 1
    await expect.poll(lines).toBeGreaterThan(0)
    expect(await log.innerText()).not.toContain('server not available')
  })

  it('has asked nothing of any other machine, and reported no error', () => {
    expect([...asked]).toEqual([world.engine.url])
    expect(troubles).toEqual([])
  })

  // Last, because it saves config.json and ends the engine.
  describeKeyboard(use)
  describeKeyboardWalk(use)
  describePrintedReport(use)
})
