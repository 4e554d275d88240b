import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../helpers/browser.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import {
  MAIN,
  pageAt,
  startDesktop,
  startSharedBrowser,
  type DesktopRun,
  type SharedBrowser,
} from './desktop-run.ts'

// The real main.js, preload.cjs and screens; only Electron itself is stood in for, and Debian's Chromium is its window.

const executable = findBrowser()
const isBuilt = existsSync(MAIN)
if (!isBuilt) console.warn('The desktop app is not built, so it is not tested: npm run build')

describe.skipIf(executable === undefined || !isBuilt)('the desktop app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const dataDir = writeConfig(join(folder, 'data'), {})
  let browser: SharedBrowser
  let desktop: DesktopRun

  beforeAll(async () => {
    browser = await startSharedBrowser(executable ?? '', folder)
    desktop = startDesktop({ dataDir, browser })
  })

  afterAll(async () => {
    desktop?.kill()
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows its Overview in a window, over a port', async () => {
    const page = await pageAt(browser, /#\/$/)
    await page.getByText('Overview').first().waitFor()
    await page.getByText('Version').first().waitFor()
    expect(await desktop.do('windows')).toMatchObject([{ title: 'Sluice', isVisible: true }])
  })
})
