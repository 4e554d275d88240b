import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { testServer } from '../../helpers/upstream.ts'

// A portable Sluice cannot be started by AI apps: it says so on wrapping, and undoes what an installed one did.

const why = 'This is the portable Sluice.'
const screensFolder = resolve(import.meta.dirname, '../../../dist/renderer')
const isBuilt = existsSync(join(screensFolder, 'index.html'))
if (!isBuilt)
  console.warn('The screens are not built, so what they say of a portable Sluice is not seen: npm run build')

it('wraps nothing and says why; unwraps all the same', async () => {
  const homeDir = temporaryFolder()
  const path = join(homeDir, '.cursor', 'mcp.json')
  mkdirSync(join(homeDir, '.cursor'))
  const connect = [
    'C:\\Sluice\\resources\\app.asar\\dist\\electron\\cli.js',
    'connect',
    '--server',
    'archive',
  ]
  const wrapped = { command: 'C:\\Sluice\\Sluice.exe', args: connect }
  const text = JSON.stringify({ mcpServers: { archive: wrapped, other: testServer('mirror') } })
  writeFileSync(path, text)
  const archive = testServer('big-result')
  const launcher = { unavailable: why }
  const { http, listening } = await startScreensWorld({ archive }, {}, { homeDir, launcher, screensFolder })
  expect(await http.clients.launcher()).toEqual({ unavailable: why })
  const cursor = { client: 'cursor', path }
  await expect(http.clients.previewWrap({ requests: [cursor] })).rejects.toThrow(why)

  const browser = findBrowser()
  if (browser !== undefined && isBuilt) {
    const started = await startBrowser(browser)
    onTestFinished(() => started.close())
    const page = await started.newPage()
    // Navigates as soon as the first screen is shown: the address is written after the navigation, which is reported
    // last.
    await page.addInitScript(() => {
      const replace = history.replaceState.bind(history)
      let written = 0
      history.replaceState = (...address) => {
        if (++written === 2) location.hash = '#/clients'
        replace(...address)
      }
    })
    await page.goto(listening.newBrowserLink())
    await page.getByText(why).waitFor()
    await page.getByText('not wrapped', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Wrap/ }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Unwrap archive' }).isEnabled()).toBe(true)
  }

  const { hash, resultHash, restored } = await http.clients.previewUnwrap(cursor)
  expect(restored).toEqual(['archive'])
  await http.clients.unwrap({ ...cursor, hash, resultHash })
  const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: object }
  expect(mcpServers).toMatchObject({ archive, other: testServer('mirror') })
})
