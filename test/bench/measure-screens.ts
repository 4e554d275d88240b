/**
 * `node test/bench/measure-screens.ts [--only Tools,Logs]`: how fast the screens are at scale (1,200 tools, 100,000 calls, results of 5 MB):
 * first paint (the first time and again), scrolling and searching, with the page's code cached. Needs `npm run build`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { parseArgs } from 'node:util'
import { findBrowser, startBrowser } from '../helpers/browser.ts'
import { startCrowd } from '../screenshots/crowd.ts'
import { openPage } from '../screenshots/take-shots.ts'

interface Screen {
  readonly name: string
  readonly hash: string
  /** Something that only a filled screen has. */
  readonly filled: string
  /** What is opened first, before the time is taken. */
  readonly press?: RegExp
  readonly scrolls: string
  readonly search?: { readonly label: string; readonly text: string; readonly found: string }
}

const screens: readonly Screen[] = [
  { name: 'Overview', hash: '/?range=365', filled: 'canvas', scrolls: 'main' },
  {
    name: 'Activity',
    hash: '/activity',
    filled: 'tbody tr',
    scrolls: '.list',
    search: { label: 'Search calls', text: 'kubernetes', found: 'tbody tr:not(.room) th button' },
  },
  {
    name: 'Tools',
    hash: '/tools',
    filled: 'tbody tr:not(.room)',
    scrolls: '.list',
    search: { label: 'Search tools', text: 'comment', found: 'tbody tr:not(.room) th button' },
  },
  ...(['json', 'log', 'prose'] as const).map((kind) => ({
    name: `Result, 5 MB of ${kind}`,
    hash: `/results?text=${kind}`,
    filled: '.view .sheet',
    press: new RegExp(`archive · ${kind}`),
    scrolls: '.view .sheet',
    search: {
      label: 'Search in the result',
      text: { json: 'user', log: 'error', prose: 'the' }[kind],
      found: '.search [role=status]',
    },
  })),
  { name: 'Approvals', hash: '/approvals', filled: 'article.change', scrolls: 'main' },
  { name: 'Logs', hash: '/logs', filled: '[role=log] > *', scrolls: '[role=log]' },
]

const SCROLLS = 60
const LONG_FRAME_MS = 50

/** Milliseconds in the page from the call to two frames after the sign. */
const until = (page: Page, sign: string, act: () => Promise<unknown>, text = ''): Promise<number> =>
  page
    .evaluate(() => void Reflect.set(globalThis, 'began', performance.now()))
    .then(act)
    .then(() =>
      page.evaluate(
        ([wanted, words]) =>
          new Promise<number>((resolve) => {
            const look = (): void => {
              const element = document.querySelector(wanted)
              if (element?.checkVisibility() !== true || !element.textContent.includes(words))
                return void requestAnimationFrame(look)
              requestAnimationFrame(() =>
                resolve(performance.now() - (Reflect.get(globalThis, 'began') as number)),
              )
            }
            look()
          }),
        [sign, text] as const,
      ),
    )

/** Scrolls from the top to the end in equal steps, one a frame. */
const scroll = (page: Page, place: string): Promise<{ long: number; longest: number }> =>
  page
    .locator(place)
    .first()
    .evaluate(
      (element, { steps, limit }) =>
        new Promise<{ long: number; longest: number }>((resolve) => {
          const frames: number[] = []
          let last = performance.now()
          const step = (now: number): void => {
            frames.push(now - last)
            last = now
            if (frames.length > steps)
              return resolve({ long: frames.filter((ms) => ms > limit).length, longest: Math.max(...frames) })
            element.scrollTop = (element.scrollHeight * frames.length) / steps
            requestAnimationFrame(step)
          }
          requestAnimationFrame(step)
        }),
      { steps: SCROLLS, limit: LONG_FRAME_MS },
    )

async function measure(page: Page, url: string, screen: Screen): Promise<string> {
  await page.goto('about:blank')
  await page.goto(`${url}/#/guide`)
  await page.getByRole('heading').first().waitFor()
  const goTo = (hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash)
  const { press } = screen
  if (press) {
    await goTo(screen.hash)
    await page.getByRole('button', { name: press }).last().waitFor()
  }
  const paint = (): Promise<number> =>
    until(page, screen.filled, () =>
      press ? page.getByRole('button', { name: press }).last().click() : goTo(screen.hash),
    )
  const painted = await paint()
  await goTo(press ? screen.hash : '/guide')
  await page.locator(screen.filled).first().waitFor({ state: 'detached' })
  const again = await paint()
  const { long, longest } = await scroll(page, screen.scrolls)
  let searched: number | undefined
  if (screen.search) {
    const { label, text, found } = screen.search
    const field = page.getByRole('searchbox', { name: label })
    await field.fill(text.slice(0, -1))
    await page.waitForTimeout(1_000)
    await field.focus()
    searched = await until(
      page,
      found,
      () => page.keyboard.type(text.slice(-1)),
      screen.press ? ' of ' : text,
    )
  }
  const ms = (value: number): string => `${Math.round(value)} ms`
  return `| ${screen.name} | ${ms(painted)}, ${ms(again)} | ${long} of ${SCROLLS}, longest ${ms(longest)} | ${searched === undefined ? '–' : ms(searched)} |`
}

const { only } = parseArgs({ options: { only: { type: 'string', default: '' } } }).values
const executable = findBrowser()
if (executable === undefined) throw new Error('There is no browser to measure with.')
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
const crowd = await startCrowd(folder)
const browser = await startBrowser(executable)
try {
  const page = await openPage(browser, crowd)
  await page.setViewportSize({ width: 1280, height: 800 })
  console.log(
    `| screen | first paint, again | frames over ${LONG_FRAME_MS} ms while scrolling | search, last letter |`,
  )
  console.log('| --- | --- | --- | --- |')
  const isWanted = ({ name }: Screen): boolean => only.split(',').some((part) => name.includes(part))
  for (const screen of screens.filter(isWanted)) console.log(await measure(page, crowd.url, screen))
} finally {
  await browser.close()
  await crowd.stop()
  rmSync(folder, { recursive: true, force: true })
}
