import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../../helpers/axe.ts'
import type { OpenScreens } from './open-screens.ts'

/** Dialogs, questions and the editor take the focus, keep it as long as needed, and return it. */
export function describeKeyboard(use: () => OpenScreens): void {
  describe('by keyboard', () => {
    let page: Page
    let importFile: string
    beforeAll(async () => {
      ;({ page, importFile } = use())
      await page.emulateMedia({ reducedMotion: 'reduce' })
    })
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? ''
      })
    const editApprovals = async () => {
      await use().openAnew('/settings?view=text', '"approvals"')
      await page.getByText('"approvals"').click()
    }
    const isInDialog = () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)

    it('the palette keeps the focus to itself and gives it back', async () => {
      await use().openAnew('/', 'Kept out of context')
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
      await use().openAnew('/settings', 'Shortened to, tokens')
      await page.getByRole('button', { name: 'Import', exact: true }).focus()
      await page.getByLabel('File to import').setInputFiles(importFile)
      await page.getByText('This replaces your config.json').waitFor()
      for (let step = 0; step < 8; step++) {
        await page.keyboard.press('Tab')
        expect(await isInDialog()).toBe(true)
      }
      await page.keyboard.press('Escape')
      await page.getByText('This replaces your config.json').waitFor({ state: 'detached' })
      expect(await focused()).toBe('Import')
    })

    it('a notice is reached with F8, axe finds nothing in it, and its Undo works', async () => {
      await use().openAnew('/quarantine', 'mail · in_text')
      await page.getByRole('button', { name: 'mail · in_text' }).first().click()
      for (let press = 0; press < 2; press++)
        await page.getByRole('button', { name: 'Stop checking this tool' }).click()
      const notice = page
        .getByRole('listitem')
        .filter({ hasText: 'Results of in_text are no longer quarantined' })
      await notice.waitFor()
      await page.keyboard.press('F8')
      // Stays while focused, however long this takes.
      expect(await seriousFaults(page, '[role=region] > ol')).toEqual([])
      await expect
        .poll(async () => {
          await page.keyboard.press('Tab')
          return focused()
        })
        .toBe('Undo')
      await page.keyboard.press('Enter')
      await notice.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Stop checking this tool' }).waitFor()
    })

    it('a question takes the place of its button, with the focus, and gives both back', async () => {
      await use().openAnew('/quarantine', 'mail · in_text')
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
      await use().openAnew('/results', 'archive · prose', 900)
      const row = page.getByRole('button', { name: 'archive · prose' }).first()
      await row.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.closest('aside') !== null)).toBe(true)
      await page.keyboard.press('Escape')
      await page.waitForURL(/#\/results$/)
      expect(await focused()).toBe('archive · prose')
    })

    it('the editor of config.json is no trap: Tab leaves it, and takes a proposal only while there is one', async () => {
      await editApprovals()
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
      await editApprovals()
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
      await use().openAnew('/settings?view=text', '"approvals"')
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
      await expect.poll(() => save.isDisabled()).toBe(true)
      await type('// two')
      await save.click()
      await expect.poll(() => save.isDisabled()).toBe(true)

      await type('// three')
      const file = join(use().world.engine.dataDir, 'config.json')
      writeFileSync(file, `// from elsewhere\n${readFileSync(file, 'utf8')}`)
      await page.getByText('The file was changed elsewhere').waitFor()
      await text.getByText('// three').waitFor()
      await page.getByRole('button', { name: /^Keep mine/ }).click()
      await page.getByText('The file was changed elsewhere').waitFor({ state: 'detached' })
      await save.click()
      await expect.poll(() => readFileSync(file, 'utf8')).toMatch(/^\/\/ three\n\/\/ two/)
    })

    it('an engine that ends is named, what was read stays, and it goes on by itself when it is back', async () => {
      await use().openAnew('/activity', 'archive · json')
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
}
