import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import type { ServerSettings } from '../../shared/settings.ts'
import { findBrowser, startBrowser } from '../helpers/browser.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { fillLedger } from '../helpers/fill-ledger.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { openConnect, type Target } from './open-targets.ts'
import type { Program } from './program.ts'

export interface PageFigures {
  readonly ledgerRows: number
  /** From navigation to the first chart of the Overview, ms, with the page's code cached. */
  readonly chartsMs: number
  readonly seconds: number
  /** Requested rate, and the rate one client reached. */
  readonly callsPerSecond: { readonly wanted: number; readonly reached: number }
  readonly pages: readonly OnePage[]
}

export interface OnePage {
  readonly name: string
  /** The longest time the page was blocked, ms; 0 when never over 50. */
  readonly longestTask: number
  readonly tasksOver50: number
  /** JavaScript heap after garbage collection, MB: a quarter into the run, and at its end. */
  readonly heapEarly: number
  readonly heapLate: number
}

const PAGES = [
  ['Overview', '/'],
  ['Activity', '/activity'],
] as const

const BATCHES_PER_SECOND = 20

/** The two live screens side by side while a client calls. Undefined without a browser. */
export async function measurePage(
  folder: string,
  server: ServerSettings,
  { program, rows = 100_000, wanted = 200, seconds = 60 }: PageOptions,
): Promise<PageFigures | undefined> {
  const executable = findBrowser()
  if (executable === undefined) return undefined
  const dataDir = writeConfig(join(folder, 'data'), { one: server })
  fillLedger(dataDir, rows)
  const engine = await startEngine(dataDir, process.env, { cli: program.cli })
  const browser = await startBrowser(executable)
  try {
    const link = /screens: +(\S+)/.exec(engine.output())?.[1] ?? ''
    const { chartsMs, watched } = await openPages(browser, link, engine.url)
    const target = await openConnect('connect', program, dataDir, 'one')
    const started = performance.now()
    const early = callSteadily(target, wanted, seconds / 4)
    const callsEarly = await early
    const heapsEarly = await Promise.all(watched.map(({ heap }) => heap()))
    const calls = callsEarly + (await callSteadily(target, wanted, (seconds * 3) / 4))
    const reached = calls / ((performance.now() - started) / 1000)
    const pages = await Promise.all(
      watched.map(async ({ name, page, heap }, index) => {
        const tasks = await page.evaluate(() => Reflect.get(globalThis, 'longTasks') as number[])
        return {
          name,
          longestTask: Math.max(0, ...tasks),
          tasksOver50: tasks.length,
          heapEarly: heapsEarly[index] ?? 0,
          heapLate: await heap(),
        }
      }),
    )
    await target.client.end()
    return { ledgerRows: rows, chartsMs, seconds, callsPerSecond: { wanted, reached }, pages }
  } finally {
    await browser.close()
    await engine.stop()
  }
}

interface PageOptions {
  readonly program: Program
  readonly rows?: number
  readonly wanted?: number
  readonly seconds?: number
}

interface WatchedPage {
  readonly name: string
  readonly page: Page
  readonly heap: () => Promise<number>
}

async function openPages(
  browser: Browser,
  link: string,
  url: string,
): Promise<{ chartsMs: number; watched: WatchedPage[] }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // As most users see it.
    reducedMotion: 'no-preference',
  })
  const first = await context.newPage()
  await first.goto(link)
  await first.locator('canvas').first().waitFor()
  await first.close()
  const watched: WatchedPage[] = []
  let chartsMs = 0
  for (const [name, hash] of PAGES) {
    const page = await context.newPage()
    await page.goto(`${url}/#${hash}`)
    if (name === 'Overview') {
      await page.locator('canvas').first().waitFor()
      chartsMs = await page.evaluate(() => performance.now())
    } else await page.locator('tbody tr').first().waitFor()
    await page.evaluate(() => {
      const tasks: number[] = []
      Reflect.set(globalThis, 'longTasks', tasks)
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) tasks.push(entry.duration)
      }).observe({ type: 'longtask' })
    })
    const session = await context.newCDPSession(page)
    watched.push({ name, page, heap: () => heapOf(session) })
  }
  await wait(2_000)
  return { chartsMs, watched }
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

/** Sends small calls at an even pace; resolves with the number answered. */
async function callSteadily({ client }: Target, perSecond: number, seconds: number): Promise<number> {
  const open = new Set<Promise<unknown>>()
  const each = perSecond / BATCHES_PER_SECOND
  const started = performance.now()
  let calls = 0
  for (let batch = 0; batch < seconds * BATCHES_PER_SECOND; batch++) {
    for (let n = 0; n < each; n++, calls++) {
      const call = client.request('tools/call', { name: 'echo', arguments: { text: `call ${calls}` } })
      open.add(call)
      void call.finally(() => open.delete(call))
    }
    const due = started + ((batch + 1) * 1000) / BATCHES_PER_SECOND
    await wait(Math.max(0, due - performance.now()))
  }
  await Promise.all(open)
  return calls
}
