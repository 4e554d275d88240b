import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { OpenScreens } from './open-screens.ts'
import { focused, tabTo } from './tab-to.ts'

/** What users do most, without a mouse: what has the focus is seen, and no deed loses it. */
export function describeKeyboardWalk(use: () => OpenScreens): void {
  describe('with the keyboard alone one', () => {
    let page: Page
    beforeAll(async () => {
      ;({ page } = use())
      await page.emulateMedia({ reducedMotion: 'reduce' })
    })

    /** Past the frame, by its own way. */
    const openContent = async (hash: string, filled: string): Promise<void> => {
      await use().openAnew(hash, filled)
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe('Go to the content')
      await page.keyboard.press('Enter')
    }
    const hasFocus = () => expect.poll(() => focused(page)).not.toBe('')

    it('wraps an app, and takes it back', async () => {
      const { path } = use().world.claudeConfig
      const before = readFileSync(path)
      try {
        await openContent('/clients', 'Wrap my Claude Desktop server')
        await tabTo(page, /^Wrap my Claude Desktop/)
        await page.keyboard.press('Enter')
        await page
          .getByText(/You approve \d+ definitions|Nothing new to approve|Nothing to approve/)
          .waitFor()
        await tabTo(page, /^(Approve and wrap|Wrap$|Wrap \d|Wrap echo)/)
        await page.keyboard.press('Enter')
        await expect.poll(() => focused(page)).toBe('Done')
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await hasFocus()
        await openContent('/clients', 'Undo the wrapping')
        await tabTo(page, /^Undo the wrapping/)
        await page.keyboard.press('Enter')
        await page.getByText('Every byte of the file will be as it was').waitFor()
        await tabTo(page, /^Unwrap$/)
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
        await tabTo(page, /^Hidden:/)
        await page.keyboard.press('Space')
        await tabTo(page, /^Save$/)
        await page.keyboard.press('Enter')
        await expect
          .poll(() => page.getByRole('button', { name: 'Save' }).isDisabled(), { message: state })
          .toBe(true)
        await hasFocus()
      }
    })

    it('finds a detail that was left out', async () => {
      await openContent('/results', 'archive · json')
      await tabTo(page, /^archive · json$/)
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'The original, marked' }).waitFor()
      // In every JSON result of this file, and shown of none.
      await tabTo(page, /^Search in the result$/)
      await page.keyboard.type('u45@example.org')
      await page.locator('.gone mark.current').waitFor()
      await page.keyboard.press('Escape')
      await hasFocus()
    })

    it('approves a change that has findings, after its question', async () => {
      await openContent('/approvals', 'read_note')
      await tabTo(page, /^read_note/)
      await page.keyboard.press('Space')
      await tabTo(page, /^Approve 1 selected$/)
      await page.keyboard.press('Enter')
      await page.getByText('The model will read it exactly as shown here.').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('checkbox', { name: /read_note/ }).waitFor({ state: 'detached' })
      await hasFocus()
    })

    it('releases a quarantined result', async () => {
      await openContent('/quarantine', 'mail · in_text')
      await tabTo(page, /^mail · in_text$/)
      await page.keyboard.press('Enter')
      await tabTo(page, /^Release to/)
      await page.keyboard.press('Enter')
      await page.getByText('gets the whole text, as shown here').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText('released').first().waitFor()
      await hasFocus()
    })
  })
}
