import { chromium, type Browser, type BrowserContext } from 'playwright-core'

let browser: Promise<Browser> | undefined

/** Debian's Chromium, started by the test, which has its own connection to the same pages. */
export async function browserContext(): Promise<BrowserContext> {
  const endpoint = process.env['STAND_IN_BROWSER']
  if (endpoint === undefined) throw new Error('STAND_IN_BROWSER names no browser.')
  browser ??= chromium.connectOverCDP(endpoint)
  const context = (await browser).contexts()[0]
  if (!context) throw new Error('The browser has no default context.')
  return context
}

/** Ends the connection; the browser belongs to the test. */
export const leaveBrowser = async (): Promise<void> => (await browser)?.close()
