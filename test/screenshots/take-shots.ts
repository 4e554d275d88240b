import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Shot } from './shots.ts'

/** Of a running engine. */
export interface ShownWorld {
  readonly link: string
  readonly url: string
  readonly timeZone: string
}

export interface Size {
  readonly width: number
  readonly height: number
}

type Colours = 'light' | 'dark'

/** Opens the screens; the link works once, and the page has its key from then on. */
export async function openPage(browser: Browser, { link, timeZone }: ShownWorld): Promise<Page> {
  const context = await browser.newContext({ timezoneId: timeZone, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(`Fault of the page: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') console.error(message.text())
  })
  await page.goto(link)
  await page.getByRole('link', { name: 'Overview' }).first().waitFor()
  return page
}

/** Returns the files. `sizesOf` says in which windows a shot is taken; each is taken light and dark. */
export async function takeShots<World extends ShownWorld>(
  page: Page,
  world: World,
  shots: readonly Shot<World>[],
  { out, sizesOf }: { out: string; sizesOf: (shot: Shot<World>) => readonly Size[] },
): Promise<void> {
  for (const shot of shots) {
    for (const colours of shot.colours ?? (['light', 'dark'] as const)) {
      for (const size of sizesOf(shot)) await take(page, world, shot, { colours, size, out })
    }
  }
}

async function take<World extends ShownWorld>(
  page: Page,
  world: World,
  shot: Shot<World>,
  { colours, size, out }: { colours: Colours; size: Size; out: string },
): Promise<void> {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' })
  await page.goto('about:blank')
  await page.goto(`${world.url}/#${shot.address}`)
  await page.getByText(shot.filled).first().waitFor({ state: 'visible', timeout: 15_000 })
  await shot.act?.(page, world)
  await page.waitForTimeout(400)
  const name = `${shot.name}-${colours}${size.width === 1280 ? '' : `-${size.width}`}.png`
  await page.screenshot({ path: join(out, name) })
  await shot.after?.(page)
  console.log(name)
}
