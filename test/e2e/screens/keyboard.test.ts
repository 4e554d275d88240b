import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../../helpers/axe.ts'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { startFilledEngine, type FilledEngine } from './filled-engine.ts'

// Without a mouse, and in the states that a screen is in only for a while: dialogs, questions, faults.

const executable = findBrowser()
const isBuilt = existsSync(resolve(import.meta.dirname, '../../../dist/renderer/index.html'))

const screens: readonly (readonly [hash: string, filled: string])[] = [
  ['/', 'Kept out of context'],
  ['/activity', 'archive · json'],
  ['/results', 'archive · prose'],
  ['/servers/archive', 'In every conversation'],
  ['/tools/archive/json', 'The server’s own words'],
  ['/tools/archive/json?view=try', 'Call json'],
  ['/clients', 'Claude Desktop'],
  ['/approvals', 'delete_note'],
  ['/quarantine', 'mail · in_text'],
  ['/models', 'On this machine'],
  ['/settings?text=price', 'A million tokens'],
  ['/settings?view=text', '"approvals"'],
  ['/logs', 'server connected'],
]

/** Steps through the page with Tab. What can be operated but was not reached, and what was reached without being seen. */
async function walk(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  await page.evaluate(() => {
    const label = (element: Element): string =>
      `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''}`
    const isOperable = (element: Element): boolean => {
      if (!(element instanceof HTMLElement) || element.closest('[aria-hidden="true"], [inert]')) return false
      if (element.tabIndex < 0 || element.matches(':disabled, input[type="radio"]')) return false
      return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
    }
    const all = [
      ...document.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [contenteditable="true"]',
      ),
    ]
    Reflect.set(globalThis, 'wanted', new Set(all.filter(isOperable)))
    Reflect.set(globalThis, 'unseen', [])
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const wanted = Reflect.get(globalThis, 'wanted') as Set<Element>
      wanted.delete(target)
      requestAnimationFrame(() => {
        if (document.activeElement !== target) return
        const around = [target, target.parentElement, target.closest('.cm-editor'), target.closest('label')]
        const isSeen = around.some((element) => {
          if (!element) return false
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
          return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
        })
        if (!isSeen && target.id !== 'main')
          (Reflect.get(globalThis, 'unseen') as string[]).push(label(target))
      })
    })
    Reflect.set(globalThis, 'labelOf', label)
  })
  const left = () => page.evaluate(() => (Reflect.get(globalThis, 'wanted') as Set<Element>).size)
  const MOST = 260
  for (let step = 0; step < MOST && (await left()) > 0; step++) {
    await page.keyboard.press('Tab')
    if (step % 20 === 19) await page.waitForTimeout(30)
  }
  await page.waitForTimeout(50)
  return page.evaluate(() => {
    const labelOf = Reflect.get(globalThis, 'labelOf') as (element: Element) => string
    // A list may have moved on meanwhile, as calls and log lines do.
    const wanted = [...(Reflect.get(globalThis, 'wanted') as Set<Element>)].filter(
      ({ isConnected }) => isConnected,
    )
    return {
      missed: wanted.map(labelOf),
      unseen: [...new Set(Reflect.get(globalThis, 'unseen') as string[])],
    }
  })
}

describe.skipIf(executable === undefined || !isBuilt)('the screens by keyboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const importFile = join(folder, 'import.json')
  let world: FilledEngine
  let browser: Browser
  let page: Page

  const open = async (hash: string, filled: string, width = 1280): Promise<void> => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('about:blank')
    await page.goto(`${world.engine.url}/#${hash}`)
    await page.getByText(filled).first().waitFor({ state: 'visible', timeout: 10_000 })
  }
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? ''
    })
  const isInDialog = () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)

  beforeAll(async () => {
    world = await startFilledEngine(folder)
    await world.changeOffer()
    writeFileSync(importFile, '{ "servers": { "other": { "command": "other" } } }')
    browser = await startBrowser(executable ?? '')
    page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
    await page.goto(world.link)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(screens)('reaches all that can be operated on %s, and shows where one is', async (hash, filled) => {
    await open(hash, filled)
    expect(await walk(page)).toEqual({ missed: [], unseen: [] })
  })

  it('the palette keeps the focus to itself and gives it back', async () => {
    await open('/', 'Kept out of context')
    const button = page.getByRole('button', { name: /Go to a screen/ })
    await button.focus()
    const before = await focused()
    await page.keyboard.press('Enter')
    await page.getByPlaceholder(/Screen, server/).waitFor()
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press(step % 3 === 2 ? 'Shift+Tab' : 'Tab')
      expect(await isInDialog()).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByPlaceholder(/Screen, server/).waitFor({ state: 'detached' })
    expect(await focused()).toBe(before)
  })

  it('an import is shown first, in a dialog that keeps the focus and gives it back', async () => {
    await open('/settings', 'Shortened to, tokens')
    await page.getByRole('button', { name: 'Import', exact: true }).focus()
    await page.getByLabel('File to import').setInputFiles(importFile)
    await page.getByText('takes the place of your config.json').waitFor()
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab')
      expect(await isInDialog()).toBe(true)
    }
    await page.keyboard.press('Escape')
    await page.getByText('takes the place of your config.json').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Import')
  })

  it('a question takes the place of its button, with the focus, and gives both back', async () => {
    await open('/quarantine', 'mail · in_text')
    await page.getByRole('button', { name: 'mail · in_text' }).first().click()
    await page.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('It is gone for good then.').waitFor()
    expect(await focused()).toBe('Delete')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Leave it')
    await page.keyboard.press('Escape')
    await page.getByText('It is gone for good then.').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Delete')
    expect(page.url()).toMatch(/quarantine\/q_/)
  })

  it('on a narrow screen what is opened takes the focus, and gives it back to its row', async () => {
    await open('/results', 'archive · prose', 900)
    const row = page.getByRole('button', { name: 'archive · prose' }).first()
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'What the model got' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('aside') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.waitForURL(/#\/results$/)
    expect(await focused()).toBe('archive · prose')
  })

  it('the editor of config.json is no trap: Tab leaves it, and takes a proposal only while there is one', async () => {
    await open('/settings?view=text', '"approvals"')
    await page.getByText('"approvals"').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('"firs')
    await page
      .locator('.cm-tooltip-autocomplete')
      .waitFor({ state: 'detached' })
      .catch(() => undefined)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') === null)).toBe(true)
  })

  it('completes a key of config.json, saves it, and names the line of a fault', async () => {
    await open('/settings?view=text', '"approvals"')
    await page.getByText('"approvals"').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.type('"logL')
    await page.getByRole('option', { name: 'logLevel' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('nonsense')
    await page
      .getByRole('button', { name: /^Line \d+$/ })
      .first()
      .waitFor()
    for (let step = 0; step < 'nonsense'.length; step++) await page.keyboard.press('Backspace')
    const text = await page.locator('.cm-content').innerText()
    await page.keyboard.type(/"logLevel": "[^"]*$/m.test(text) ? 'warn' : '"warn"')
    await page.locator('.cm-content').getByText('"warn"').waitFor()
  })

  it('keeps what was typed into config.json while one looks elsewhere, and saves it more than once', async () => {
    await open('/settings?view=text', '"approvals"')
    const text = page.locator('.cm-content')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const goTo = (hash: string) => page.evaluate((to) => void (location.hash = to), hash)
    const type = async (line: string): Promise<void> => {
      await text.click()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type(`${line}\n`)
    }
    await type('// one')
    await goTo('/logs')
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
    await goTo('/settings?view=text')
    await text.getByText('// one').waitFor()
    await save.click()
    await expect.poll(() => save.isDisabled(), { timeout: 10_000 }).toBe(true)
    await type('// two')
    await save.click()
    await expect.poll(() => save.isDisabled(), { timeout: 10_000 }).toBe(true)
  })

  describe('axe finds nothing serious, light or dark, in', () => {
    const states: readonly (readonly [
      name: string,
      hash: string,
      filled: string,
      act: () => Promise<unknown>,
    ])[] = [
      [
        'the palette',
        '/',
        'Kept out of context',
        () => page.keyboard.press('Control+k').then(() => page.getByPlaceholder(/Screen, server/).fill('a')),
      ],
      [
        'an import',
        '/settings',
        'Shortened to, tokens',
        () =>
          page
            .getByLabel('File to import')
            .setInputFiles(importFile)
            .then(() => page.getByText('takes the place of').waitFor()),
      ],
      [
        'a call in full',
        '/activity',
        'archive · json',
        () =>
          page
            .getByRole('button', { name: /archive · json/ })
            .first()
            .click()
            .then(() => page.getByText('Where the time went').waitFor()),
      ],
      [
        'a result',
        '/results',
        'archive · json',
        () =>
          page
            .getByRole('button', { name: 'archive · json' })
            .first()
            .click()
            .then(() => page.getByRole('region', { name: 'Left out' }).waitFor()),
      ],
      [
        'something quarantined, and a question',
        '/quarantine',
        'mail · in_text',
        () =>
          page
            .getByRole('button', { name: 'mail · in_text' })
            .first()
            .click()
            .then(() => page.getByRole('button', { name: 'Never for this tool' }).click()),
      ],
      [
        'an approval with a doubt',
        '/approvals',
        'delete_note',
        () => page.getByRole('button', { name: 'Approve all' }).click(),
      ],
      ['denied definitions', '/approvals?view=denied', 'Nothing is denied', async () => undefined],
      [
        'a detector',
        '/settings?text=detector',
        'Further detectors',
        () => page.getByRole('button', { name: 'Add a detector' }).click(),
      ],
      [
        'a pattern',
        '/settings?text=personal',
        'Patterns of your own',
        () => page.getByRole('button', { name: 'Add a pattern' }).click(),
      ],
      ['prices', '/settings?text=price', 'A million tokens', async () => undefined],
      [
        'pasted servers',
        '/servers?add=paste',
        'Any client’s configuration',
        () =>
          page
            .getByLabel(/Any client/)
            .fill('{ "mcpServers": { "a": { "command": "b" } } }')
            .then(() => page.getByRole('button', { name: 'See what is in it' }).click())
            .then(() => page.getByRole('button', { name: 'Start this server once and look' }).waitFor()),
      ],
      [
        'a server and its policies',
        '/servers/archive?view=edit',
        'Command',
        () => page.getByText('Time limit, and policies').click(),
      ],
      ['a server that failed', '/servers/broken', 'Started as', async () => undefined],
      [
        'proposals in the editor',
        '/settings?view=text',
        '"approvals"',
        async () => {
          await page.getByText('"approvals"').click()
          await page.keyboard.press('Home')
          await page.keyboard.type('"c')
          await page.locator('.cm-tooltip-autocomplete').waitFor()
        },
      ],
    ]
    it.each(states)('%s', async (_name, hash, filled, act) => {
      await open(hash, filled)
      await act()
      expect(await seriousFaults(page)).toEqual([])
    })
  })

  it('an engine that ends is named, what was read stays, and it goes on by itself when it is back', async () => {
    await open('/activity', 'archive · json')
    await page.context().setOffline(true)
    await page.route('**/rpc/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Failed' }).click()
    await page.getByText('The calls can’t be read.').waitFor()
    await page.getByText('archive · json').first().waitFor()
    await page.unroute('**/rpc/**')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The calls can’t be read.').waitFor({ state: 'detached' })
  })
})
