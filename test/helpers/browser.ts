import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

/** The one without a window takes half of the processor time; what is in /usr/bin is a script that ends without it. */
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

/** Once, because several test files may come here at a time, and apt-get refuses the second. */
const INSTALL = `[ -x ${HEADLESS} ] || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell; }`

const installed = (): string | undefined => PATHS.find((path) => existsSync(path))

/** Installs Debian's Chromium if there is none and that is possible. */
export function findBrowser(): string | undefined {
  const found = installed()
  if (found !== undefined) return found
  const isRoot = process.getuid?.() === 0
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    console.warn(
      'No browser: the screens are not tested. Install Chromium, for instance: apt-get install chromium-headless-shell',
    )
    return undefined
  }
  console.warn(
    'No browser here: installing Debian’s chromium-headless-shell with apt-get, for the tests of the screens.',
  )
  try {
    execFileSync('flock', [join(tmpdir(), 'sluice-test-browser.lock'), 'sh', '-c', INSTALL], {
      stdio: 'ignore',
    })
  } catch (error) {
    console.warn(`It could not be installed, so the screens are not tested: ${String(error)}`)
  }
  return installed()
}

/** Without network requests of its own. The caller closes it. */
export const startBrowser = (executablePath: string, more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...BROWSER_FLAGS, ...more] })
