import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Puts the pictures of each shot beside each other in `sheet-NAME.png`, light above dark. */
export async function drawSheets(page: Page, folder: string): Promise<void> {
  const files = readdirSync(folder).filter((file) => /-(light|dark)(-\d+)?\.png$/.test(file))
  const names = new Set(files.map((file) => file.replace(/-(light|dark)(-\d+)?\.png$/, '')))
  await page.goto('about:blank')
  await page.setViewportSize({ width: 2400, height: 1200 })
  for (const name of names) {
    const row = (colours: string): string =>
      [`${name}-${colours}-900.png`, `${name}-${colours}.png`, `${name}-${colours}-1600.png`]
        .filter((file) => files.includes(file))
        .map(
          (file) =>
            `<img src="data:image/png;base64,${readFileSync(join(folder, file)).toString('base64')}">`,
        )
        .join('')
    await page.setContent(
      `<style>body { margin: 0; background: #888 } div { display: flex; gap: 8px; margin-bottom: 8px; align-items: start }
       img { flex: 1 1 0; min-width: 0; width: 0 }</style><div>${row('light')}</div><div>${row('dark')}</div>`,
    )
    await page
      .locator('img')
      .last()
      .evaluate((image: HTMLImageElement) => image.decode())
    await page.locator('body').screenshot({ path: join(folder, `sheet-${name}.png`) })
  }
}
