import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { GIVE_UP_MS } from './give-up.ts'

/** The one without a window takes three quarters of the processor time; what is in /usr/bin is a script that ends without it. */
const HEADLESS = '/usr/lib/chromium/chromium-headless-shell'
const PATHS = [
  HEADLESS,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where the network is closed the tests go on. */
const QUICK = '-o Acquire::Retries=0 -o Acquire::http::Timeout=20'
/** Once, because several test files may come here at a time, and apt-get refuses the second. */
const INSTALL = `[ -x ${HEADLESS} ] || { apt-get ${QUICK} update -qq && apt-get ${QUICK} install -y -qq --no-install-recommends chromium-headless-shell; }`

const installed = (): string | undefined => PATHS.find((path) => existsSync(path))

/** Installs Debian's Chromium without a window where there is none; in CI also where there is another browser. */
export function findBrowser(): string | undefined {
  const found = installed()
  const wants = found === undefined || (process.env['CI'] !== undefined && found !== HEADLESS)
  if (!wants) return found
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    if (found === undefined)
      console.warn(
        'No browser: the screens are not tested. Install Chromium, for instance: apt-get install chromium-headless-shell',
      )
    return found
  }
  console.warn(
    `${found ?? 'No browser'} here: installing Debian’s chromium-headless-shell with apt-get, for the tests of the screens.`,
  )
  try {
    execFileSync('flock', [join(tmpdir(), 'sluice-test-browser.lock'), 'sh', '-c', INSTALL], {
      stdio: 'ignore',
    })
  } catch (error) {
    console.warn(
      `It could not be installed, so ${found ? `they run in ${found}` : 'they are left out'}: ${String(error)}`,
    )
  }
  return installed()
}

/**
 * Without network requests of its own. The caller closes it. Its pages wait until a test can't go on, and move nothing
 * unless a test says so, because each frame of a movement costs processor time.
 */
export async function startBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_FLAGS, ...more] })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(GIVE_UP_MS)
    return context
  }
  return browser
}
