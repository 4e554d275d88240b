import { readFile } from 'node:fs/promises'
import { expect, describe, it } from 'vitest'
import type { OpenScreens } from './open-screens.ts'

export function describePrintedReport(use: () => OpenScreens): void {
  describe('the report', () => {
    it('is saved by a button, has the figures of the overview, and prints on one page', async () => {
      const { page, openAnew } = use()
      await openAnew('/?range=7', 'Kept out of context')
      const net = (await page.locator('.figure').innerText()).split(' ')[0] ?? ''
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save report' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^sluice-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.html$/)
      const html = await readFile(await download.path(), 'utf8')
      const printed = await page.context().newPage()
      try {
        await printed.setContent(html)
        expect(await printed.locator('h2').first().innerText()).toContain(`${net} tokens kept out`)
        const pdf = await printed.pdf({ preferCSSPageSize: true })
        expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      } finally {
        await printed.close()
      }
    })
  })
}
