/**
 * `npm run screenshots`: fills the screens with a week of real calls and saves a picture of every screen and state,
 * light and dark, to the given folder (default screenshots/); `-- FOLDER replay,tools` takes those alone. For viewing; nothing is compared.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findBrowser, startBrowser } from '../helpers/browser.ts'
import { startShowcase, type Showcase } from './showcase.ts'
import { shots, type Shot } from './shots.ts'

type Colours = 'light' | 'dark'

async function main([target = 'screenshots', only = '']: readonly string[]): Promise<void> {
  const executable = findBrowser()
  if (executable === undefined) throw new Error('There is no browser to take pictures with.')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-show-'))
  const out = resolve(target)
  mkdirSync(out, { recursive: true })
  const showcase = await startShowcase(folder)
  const browser = await startBrowser(executable)
  try {
    await takeAll(
      browser,
      showcase,
      out,
      shots.filter(({ name }) => only.split(',').some((part) => name.includes(part))),
    )
  } finally {
    await browser.close()
    await showcase.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function takeAll(
  browser: Browser,
  showcase: Showcase,
  out: string,
  wanted: readonly Shot[],
): Promise<void> {
  const context = await browser.newContext({ timezoneId: showcase.timeZone, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(`Fault of the page: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') console.error(message.text())
  })
  await page.goto(showcase.link)
  // The link works once: the page has its key from then on.
  await page.getByRole('link', { name: 'Overview' }).first().waitFor()
  for (const shot of wanted) {
    for (const colours of shot.colours ?? (['light', 'dark'] as const)) {
      for (const width of shot.widths ?? [1280]) await take(page, showcase, shot, { colours, width, out })
    }
  }
  await context.close()
}

async function take(
  page: Page,
  showcase: Showcase,
  shot: Shot,
  { colours, width, out }: { colours: Colours; width: number; out: string },
): Promise<void> {
  await page.setViewportSize({ width, height: width > 2000 ? 1300 : 800 })
  await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
  await page.goto('about:blank')
  await page.goto(`${showcase.url}/#${shot.address}`)
  await page.getByText(shot.filled).first().waitFor({ state: 'visible', timeout: 15_000 })
  await shot.act?.(page, showcase)
  await page.waitForTimeout(400)
  const name = `${shot.name}-${colours}${width === 1280 ? '' : `-${width}`}.png`
  await page.screenshot({ path: join(out, name) })
  await shot.after?.(page)
  console.log(name)
}

await main(process.argv.slice(2))
