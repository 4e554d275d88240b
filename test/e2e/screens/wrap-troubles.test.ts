import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { processesWith } from '../../helpers/process-tree.ts'
import { startEngine, type RunningEngine } from '../../helpers/running-engine.ts'
import { serverPath } from '../../helpers/server-bundles.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

// Failures between the button and the wrapped file: reported, and nothing written.

const executable = findBrowser()
const isBuilt = existsSync(resolve(import.meta.dirname, '../../../dist/renderer/index.html'))
if (!isBuilt) console.warn('The screens are not built, so troubles of wrapping are not tested: npm run build')

describe.skipIf(executable === undefined || !isBuilt)('troubles of wrapping', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const home = join(folder, 'home')
  const file = join(home, '.cursor', 'mcp.json')
  const mark = `--mark-${process.pid}`
  const fixture = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [serverPath(name), ...args],
  })
  const content = JSON.stringify({
    mcpServers: { echo: fixture('big-result'), bad: fixture('misbehaving', '--fail-start') },
  })
  let engine: RunningEngine
  let browser: Browser
  let page: Page
  const dialog = () => page.getByRole('dialog')
  const yes = () => dialog().getByRole('button', { name: /^(?:Approve and wrap|Wrap)\b/ })

  beforeAll(async () => {
    mkdirSync(join(home, '.cursor'), { recursive: true })
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'config.json'), '{ "http": { "port": 0 } }\n')
    writeFileSync(file, content)
    const env = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      CLAUDE_CONFIG_DIR: '',
      CODEX_HOME: '',
    }
    engine = await startEngine(dataDir, env)
    browser = await startBrowser(executable ?? '')
    page = await browser.newPage()
    await page.goto(/screens:\s+(\S+)/.exec(engine.output())?.[1] ?? '')
    await page.getByText('Welcome to Sluice').waitFor()
  })

  afterAll(async () => {
    await browser?.close()
    await engine?.stop()
    removeFolder(folder)
  })

  beforeEach(async () => {
    rmSync(file, { force: true })
    writeFileSync(file, content)
    await page.goto(`${engine.url}/#/clients`)
    await page.reload()
    await page.getByRole('button', { name: 'Wrap my Cursor servers' }).waitFor()
  })

  afterEach(async () => {
    // It does not close in the middle of its work.
    const close = async (): Promise<number> => {
      await page.keyboard.press('Escape')
      return dialog().count()
    }
    await expect.poll(close).toBe(0)
  })

  const look = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Wrap my Cursor servers' }).click()
    await dialog()
      .getByText(/You approve \d+ definitions of 1 server|Nothing new to approve/)
      .waitFor()
  }

  it('a server that does not start: said with its last words, left out unless it is ticked', async () => {
    await look()
    await dialog().getByRole('button', { name: /^bad/ }).click()
    await dialog().getByText('cannot find the database').waitFor()
    expect(await dialog().getByRole('checkbox', { name: 'Take bad' }).isChecked()).toBe(false)
    await yes().getByText('Approve and wrap echo').waitFor()
    await dialog().getByRole('checkbox', { name: 'Take bad' }).check()
    await yes().getByText('Approve and wrap 2 servers').waitFor()
    await dialog().getByRole('button', { name: 'Change of the file' }).click()
    await dialog().locator('.added', { hasText: '"bad"' }).first().waitFor()
  })

  it('a file marked read-only', async () => {
    await look()
    chmodSync(file, 0o444)
    await yes().click()
    await dialog().getByText('is marked read-only, so nothing was changed').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('a file that was edited meanwhile: after another look it can be wrapped', async () => {
    await look()
    writeFileSync(file, `${content}\n`)
    await yes().click()
    await dialog().getByText('was changed after the preview').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(`${content}\n`)
    await dialog().getByRole('button', { name: 'Look again' }).click()
    await dialog()
      .getByText(/You approve \d+ definitions of 1 server|Nothing new to approve/)
      .waitFor()
    await yes().click()
    await dialog().getByText('1 server of Cursor goes through Sluice now').waitFor()
    await dialog().getByRole('button', { name: 'Undo' }).click()
    await dialog().getByText('Its file has every byte that it had before').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(`${content}\n`)
  })

  it('a file that is gone, and one that can’t be parsed', async () => {
    await look()
    rmSync(file)
    await yes().click()
    await dialog().getByText('is not there, so nothing was changed').waitFor()
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, '{ "mcpServers": { ]')
    await dialog().getByRole('button', { name: 'Look again' }).click()
    await dialog()
      .getByText(/mcp\.json:1:\d+ is not valid JSON/)
      .waitFor()
    expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": { ]')
  })

  it('a link: the file behind it is named before it is written', async () => {
    const behind = join(folder, 'dotfiles.json')
    writeFileSync(behind, content)
    rmSync(file)
    symlinkSync(behind, file)
    await look()
    await dialog().getByRole('button', { name: 'Change of the file' }).click()
    await dialog().getByText(`is a link: ${behind} is the file that is written`).waitFor()
  })

  it('one server of several is unwrapped by itself, and then the rest', async () => {
    const two = { echo: fixture('big-result'), other: fixture('paged') }
    const both = `${JSON.stringify({ mcpServers: two }, null, 2)}\n`
    const entries = () => (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object }).mcpServers
    writeFileSync(file, both)
    await page.getByRole('button', { name: 'Wrap my Cursor servers' }).click()
    await yes().getByText('Approve and wrap 2 servers').waitFor()
    await yes().click()
    await dialog().getByText('2 servers of Cursor go through Sluice now').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Unwrap other' }).click()
    await dialog().getByText('The others go through Sluice as before.').waitFor()
    expect(entries()).not.toMatchObject(two)
    await dialog().getByRole('button', { name: 'Unwrap', exact: true }).click()
    // Behind an open dialog nothing counts as a button.
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Unwrap other' }).waitFor({ state: 'detached' })
    expect(entries()).toMatchObject({ other: two.other })
    expect(entries()).not.toMatchObject({ echo: two.echo })
    await page.getByRole('button', { name: /^(Undo the wrapping|Unwrap$)/ }).click()
    await dialog().getByRole('button', { name: 'Unwrap', exact: true }).click()
    await page.getByRole('button', { name: 'Wrap my Cursor servers' }).waitFor()
    expect(readFileSync(file, 'utf8')).toBe(both)
  })

  it('the file is edited between the look and an unwrap: nothing is written, and what is there now is shown', async () => {
    await look()
    await yes().click()
    await dialog().getByText('1 server of Cursor goes through Sluice now').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^(Undo the wrapping|Unwrap$)/ }).click()
    await dialog().getByText('Every byte of the file will be as it was.').waitFor()
    const wrapped = JSON.parse(readFileSync(file, 'utf8')) as object
    const edited = JSON.stringify({ ...wrapped, edited: true }, null, 2)
    writeFileSync(file, edited)
    await dialog().getByRole('button', { name: 'Unwrap', exact: true }).click()
    await dialog().getByText('The file was edited since, so only what wrapping put in goes.').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(edited)
    await dialog().getByRole('button', { name: 'Unwrap', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    const servers = (JSON.parse(content) as { mcpServers: object }).mcpServers
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ edited: true, mcpServers: servers })
  })

  it('closed while servers start: they end', async () => {
    writeFileSync(
      file,
      JSON.stringify({
        mcpServers: { slow: fixture('misbehaving', '--silent', mark), two: fixture('big-result') },
      }),
    )
    await page.getByRole('button', { name: 'Wrap my Cursor servers' }).click()
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(0)
    expect(await yes().isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => processesWith(mark)).toEqual([])
  })
})
