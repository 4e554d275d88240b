import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { OpenScreens } from './open-screens.ts'

const MOST_TABS = 120

/** What users do most, without a mouse: what has the focus is seen, and no deed loses it. */
export function describeKeyboardWalk(use: () => OpenScreens): void {
  describe('with the keyboard alone one', () => {
    let page: Page
    beforeAll(async () => {
      ;({ page } = use())
      await page.emulateMedia({ reducedMotion: 'reduce' })
    })

    /** Name of what has the focus; empty: nothing. */
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document
        if (!activeElement || activeElement === document.body) return ''
        const label = activeElement.getAttribute('aria-label') ?? activeElement.closest('label')?.textContent
        return (label ?? activeElement.textContent).trim() || activeElement.tagName
      })
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let step = 0; step < MOST_TABS; step++) {
        await page.keyboard.press('Tab')
        if (name.test(await focused())) return
      }
      throw new Error(`Tab does not lead to ${name}.`)
    }
    /** Past the frame, by its own way. */
    const openContent = async (hash: string, filled: string): Promise<void> => {
      await use().openAnew(hash, filled)
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Go to the content')
      await page.keyboard.press('Enter')
    }
    const hasFocus = () => expect.poll(focused).not.toBe('')

    it('wraps an app, and takes it back', async () => {
      const { path } = use().world.claudeConfig
      const before = readFileSync(path)
      try {
        await openContent('/clients', 'Wrap my Claude Desktop server')
        await tabTo(/^Wrap my Claude Desktop/)
        await page.keyboard.press('Enter')
        await page
          .getByText(/You approve \d+ definitions|Nothing new to approve|Nothing to approve/)
          .waitFor({ timeout: 20_000 })
        await tabTo(/^(Approve and wrap|Wrap$|Wrap \d|Wrap echo)/)
        await page.keyboard.press('Enter')
        await expect.poll(focused, { timeout: 10_000 }).toBe('Done')
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await hasFocus()
        await openContent('/clients', 'Undo the wrapping')
        await tabTo(/^Undo the wrapping/)
        await page.keyboard.press('Enter')
        await page.getByText('Every byte of the file will be as it was').waitFor()
        await tabTo(/^Unwrap$/)
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        expect(readFileSync(path)).toEqual(before)
        await hasFocus()
      } finally {
        writeFileSync(path, before)
      }
    })

    it('hides a tool, and shows it again', async () => {
      await openContent('/tools/archive/echo', 'The server’s own words')
      for (const state of ['hidden', 'shown']) {
        await tabTo(/^Hidden:/)
        await page.keyboard.press('Space')
        await tabTo(/^Save$/)
        await page.keyboard.press('Enter')
        await expect
          .poll(() => page.getByRole('button', { name: 'Save' }).isDisabled(), { message: state })
          .toBe(true)
        await hasFocus()
      }
    })

    it('finds a detail that was left out', async () => {
      await openContent('/results', 'archive · json')
      await tabTo(/^archive · json$/)
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
      // In every JSON result of this file, and shown of none.
      await tabTo(/^Search in the result$/)
      await page.keyboard.type('u45@example.org')
      await page.locator('.gone mark.current').waitFor()
      await page.keyboard.press('Escape')
      await hasFocus()
    })

    it('approves a change that has findings, after its question', async () => {
      await openContent('/approvals', 'read_note')
      await tabTo(/^read_note/)
      await page.keyboard.press('Space')
      await tabTo(/^Approve 1 selected$/)
      await page.keyboard.press('Enter')
      await page.getByText('The model will read it exactly as shown here.').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: /read_note/ }).waitFor({ state: 'detached' })
      await hasFocus()
    })

    it('releases a quarantined result', async () => {
      await openContent('/quarantine', 'mail · in_text')
      await tabTo(/^mail · in_text$/)
      await page.keyboard.press('Enter')
      await tabTo(/^Release to/)
      await page.keyboard.press('Enter')
      await page.getByText('gets the whole text, as shown here').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('released').first().waitFor()
      await hasFocus()
    })
  })
}
