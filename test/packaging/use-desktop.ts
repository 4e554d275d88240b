import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { pageAt, startDesktop, startSharedBrowser } from '../electron/desktop-run.ts'
import { textOf } from '../electron/desktop-world.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { descendantsOf } from '../helpers/process-tree.ts'
import { isRunning } from '../helpers/processes.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { testServer } from '../helpers/upstream.ts'

const PATIENT = { timeout: 100_000 }

/** The packed app's main.js with its real surroundings; only Electron is replaced. */
export async function useDesktop(resources: string, executable: string, folder: string): Promise<void> {
  const homeDir = join(folder, 'home')
  mkdirSync(homeDir)
  const dataDir = writeConfig(
    join(folder, 'desktop'),
    { big: testServer('big-result') },
    { model: { gpu: 'off' } },
  )
  const program = join(resources, 'app.asar/dist/electron')
  const browser = await startSharedBrowser(executable, folder)
  onTestFinished(() => browser.close())
  const desktop = startDesktop({
    main: join(program, 'main.js'),
    dataDir,
    browser,
    env: {
      STAND_IN_PACKAGED: '1',
      STAND_IN_RESOURCES: resources,
      // As from a terminal, so that the user's shell is not asked for its environment.
      TERM: 'dumb',
      HOME: homeDir,
      XDG_CONFIG_HOME: join(homeDir, '.config'),
    },
  })
  onTestFinished(() => desktop.kill())
  const page = await pageAt(browser, desktop, /#\/$/)
  await page.getByText('Version').first().waitFor(PATIENT)

  const client = new RawClient({
    command: process.execPath,
    args: [
      join(program, 'cli.js'),
      '--data-dir',
      dataDir,
      'connect',
      '--client',
      'packed',
      '--server',
      'big',
    ],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  onTestFinished(async () => void (await client.end()))
  await client.initialize()
  const large = { name: 'json', arguments: { bytes: 60_000 } }
  expect(textOf(await client.request('tools/call', large))).toContain('[Compressed:')

  await page.evaluate(() => (location.hash = '#/models'))
  const row = page.getByRole('row', { name: 'Sluice test model' })
  await row.getByText('came with Sluice').waitFor(PATIENT)
  await row.getByRole('button', { name: 'Use' }).click()
  await page.getByRole('button', { name: 'Test it' }).click(PATIENT)
  await page.getByText('alpha beta gamma delta').waitFor(PATIENT)

  // The server and the model process.
  const pids = descendantsOf(desktop.pid)
  expect(pids.length).toBeGreaterThanOrEqual(2)
  await desktop.do('tray menu', 'Quit Sluice')
  expect(await desktop.ended, desktop.output()).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
  expect(desktop.output()).toBe('')
}
