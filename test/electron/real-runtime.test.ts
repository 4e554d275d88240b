import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron as electron } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findDesktop, installedRuntime } from '../../electron/cli/find-desktop.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { MAIN } from './desktop-run.ts'
import { removeFolder } from '../helpers/remove-folder.ts'

// The same app on Electron itself. GitHub's workflow fetches the runtime and runs this on every system.

const desktop = findDesktop({
  platform: process.platform,
  env: process.env,
  runtime: installedRuntime(),
  main: MAIN,
  exists: existsSync,
})
if ('missing' in desktop)
  console.warn(`SKIPPED: the desktop app was not tried on Electron itself, because ${desktop.missing}.`)

describe.skipIf('missing' in desktop)('on Electron itself', () => {
  it('shows its Overview over a port, serves a client, and quits', async () => {
    if ('missing' in desktop) return
    const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
    const dataDir = writeConfig(join(folder, 'data'), {})
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    const app = await electron.launch({
      executablePath: desktop.runtime,
      args: [desktop.main, '--data-dir', dataDir],
      env: Object.fromEntries(
        Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined),
      ),
    })
    const ended = new Promise((resolve) => app.process().once('exit', resolve))
    try {
      const page = await app.firstWindow()
      await page.getByText('Kept out of context').first().waitFor({ timeout: 100_000 })
      expect(page.url()).toMatch(/^sluice-app:\/\/app\//)
      expect(await page.evaluate(() => 'require' in globalThis || 'process' in globalThis)).toBe(false)
      const shots = process.env['SLUICE_SHOTS']
      if (shots) await page.screenshot({ path: join(shots, `overview-${process.platform}.png`) })
      const menu = await app.evaluate(({ Menu }) =>
        Menu.getApplicationMenu()?.items.map(({ label }) => label),
      )
      expect(menu).toEqual(expect.arrayContaining(['File', 'Edit', 'View', 'Help']))
      // Closed, the window hides, and the app goes on.
      const visible = await app.evaluate(async ({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        window?.close()
        return window?.isDestroyed() === false && window.isVisible()
      })
      expect(visible).toBe(false)
      const client = new RawClient({
        command: process.execPath,
        args: [CLI, 'connect', '--data-dir', dataDir],
      })
      expect(await client.initialize()).toHaveProperty('result.serverInfo')
      await client.end()
    } finally {
      // Ends by its own order, servers first.
      await app.evaluate(({ app }) => app.quit()).catch(() => {})
      await ended
      removeFolder(folder)
    }
  })

  it('opens no window where the session started it', async () => {
    if ('missing' in desktop) return
    const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
    const dataDir = writeConfig(join(folder, 'data'), {})
    const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
    const app = await electron.launch({
      executablePath: desktop.runtime,
      args: [desktop.main, '--data-dir', dataDir, '--hidden'],
      env: Object.fromEntries(
        Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined),
      ),
    })
    const ended = new Promise((resolve) => app.process().once('exit', resolve))
    try {
      await expect.poll(() => existsSync(join(dataDir, 'engine.url'))).toBe(true)
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0)
    } finally {
      await app.evaluate(({ app }) => app.quit()).catch(() => {})
      await ended
      removeFolder(folder)
    }
  })
})
