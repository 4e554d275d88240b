import { chromium, type Browser, type BrowserContext } from 'playwright-core'

let browser: Promise<Browser> | undefined

/** Debian's Chromium, started by the test: the test looks at the same pages through a connection of its own. */
export async function browserContext(): Promise<BrowserContext> {
  const endpoint = process.env['STAND_IN_BROWSER']
  if (endpoint === undefined) throw new Error('STAND_IN_BROWSER names no browser.')
  browser ??= chromium.connectOverCDP(endpoint)
  const context = (await browser).contexts()[0]
  if (!context) throw new Error('The browser has no default context.')
  return context
}

/** Ends the connection; the browser is the test's. */
export const leaveBrowser = async (): Promise<void> => (await browser)?.close()
