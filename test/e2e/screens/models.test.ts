import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../../helpers/axe.ts'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { writeConfig } from '../../helpers/data-folder.ts'
import { modelFile, offered } from '../../helpers/model-file.ts'
import { startRangeServer, type RangeServer } from '../../helpers/range-server.ts'
import { runCli } from '../../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../../helpers/running-engine.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

// From this test's file server; the steps depend on each other.

const executable = findBrowser()
const isBuilt = existsSync(resolve(import.meta.dirname, '../../../dist/renderer/index.html'))

const MB = 1024 * 1024
const KEY = 'sk-kept-and-never-shown-4711'

describe.skipIf(executable === undefined || !isBuilt)('the screen of models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const dataDir = writeConfig(join(folder, 'data'), {}, { model: { timeLimitSeconds: 60, gpu: 'off' } })
  const modelsFolder = join(dataDir, 'models')
  const content = modelFile(32 * MB)
  const ends: (() => Promise<void>)[] = []
  const atEnd = (close: () => Promise<void>): void => void ends.push(close)
  let files: RangeServer
  let engine: RunningEngine
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const heard: string[] = []

  const openScreen = async (): Promise<void> => {
    await page.goto(/screens:\s+(\S+)/.exec(engine.output())?.[1] ?? '')
    await page.goto(`${engine.url}/#/models`)
    await row('Tiny').waitFor()
  }
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  const press = (name: string, button: string) =>
    row(name).getByRole('button', { name: button }).first().click()

  beforeAll(async () => {
    files = await startRangeServer({ content, bytesPerSecond: 2 * MB, atEnd })
    const small = modelFile(2 * MB)
    const spoilt = Buffer.from(small)
    spoilt.writeUInt8(spoilt.readUInt8(MB) ^ 1, MB)
    const other = await startRangeServer({ content: spoilt, atEnd })
    mkdirSync(modelsFolder, { recursive: true })
    const models = [
      offered(content, [`${files.url}/tiny.gguf`]),
      offered(small, [`${other.url}/other.gguf`], { id: 'other', name: 'Other', file: 'other.gguf' }),
    ]
    writeFileSync(join(modelsFolder, 'catalogue.json'), JSON.stringify({ models }))
    engine = await startEngine(dataDir)
    browser = await startBrowser(executable ?? '')
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
    page.on('response', (response) => {
      if (!response.headers()['content-type']?.includes('json')) return
      void response.text().then(
        (text) => heard.push(text),
        () => undefined,
      )
    })
    await openScreen()
  })
  afterAll(async () => {
    await browser?.close()
    await engine?.stop()
    for (const end of ends) await end()
    removeFolder(folder)
  })

  it('says what a download does, pauses it, and goes on with it after the engine was started again', async () => {
    await press('Tiny', 'Download')
    await row('Tiny')
      .getByText(/^[23]\d % · .* of 33\.6 MB · .*B\/s · .* left$/)
      .waitFor()
    await press('Tiny', 'Pause')
    await row('Tiny')
      .getByText(/^Paused at [1-9]\d % · /)
      .waitFor()
    const before = files.sent()
    expect(before).toBeLessThan(content.length)
    await engine.stop()
    engine = await startEngine(dataDir)
    await openScreen()
    await row('Tiny')
      .getByText(/^Paused at [1-9]\d % · /)
      .waitFor()
    await press('Tiny', 'Resume')
    await row('Tiny').getByText('installed').waitFor()
    expect(readFileSync(join(modelsFolder, 'tiny.gguf')).equals(content)).toBe(true)
    // Existing parts aren't fetched again.
    expect(files.sent() - before).toBeLessThan(content.length * 0.85)
  })

  it('uses it, and asks it one question: its answer, speed, memory and device', async () => {
    if ((await row('Tiny').getByText('in use').count()) === 0) await press('Tiny', 'Use')
    await row('Tiny').getByText('in use').waitFor()
    // Another process's measurements are shown, too.
    await row('Tiny').getByText('not measured').waitFor()
    await runCli(['--data-dir', dataDir, 'models', 'test'])
    await row('Tiny')
      .getByText(/writes/)
      .waitFor()
    const inUse = page.getByRole('region', { name: 'In use' })
    await inUse.getByRole('button', { name: 'Test it' }).click()
    const test = page.getByRole('region', { name: 'The test' })
    await test.getByText('alpha beta gamma delta').waitFor()
    expect(await test.innerText()).toMatch(/Writes\s+[\d.,]+ tokens\/s/)
    expect(await test.innerText()).toMatch(/Memory\s+[\d.]+ MB/)
    expect(await test.innerText()).toMatch(/Device\s+processor, \d threads?/)
    await inUse.getByRole('button', { name: 'Unload' }).click()
    await inUse.getByText(/not loaded/).waitFor()
  })

  it('finds one wrong byte by the checksum, says so, and keeps nothing of it', async () => {
    await press('Other', 'Download')
    await row('Other')
      .getByText(/its SHA-256 differs/)
      .waitFor()
    await row('Other').getByRole('button', { name: 'Try again' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await press('Other', 'Cancel')
    await press('Other', 'Delete it')
    await row('Other').getByRole('button', { name: 'Download' }).waitFor()
    expect(readdirSync(modelsFolder).filter((name) => name.startsWith('other'))).toEqual([])
  })

  it('deletes a model, and cancels a download: nothing of either stays', async () => {
    await press('Tiny', 'Delete')
    await row('Tiny').getByText('It is in use').waitFor()
    await press('Tiny', 'Delete')
    await row('Tiny').getByRole('button', { name: 'Download' }).waitFor()
    await page.getByText('No model. Results are shortened by rules alone').waitFor()
    await press('Tiny', 'Download')
    await row('Tiny')
      .getByText(/ left$/)
      .waitFor()
    await press('Tiny', 'Cancel')
    await row('Tiny').getByText('What was downloaded of it is deleted.').waitFor()
    await press('Tiny', 'Delete it')
    await row('Tiny').getByRole('button', { name: 'Download' }).waitFor()
    expect(readdirSync(modelsFolder).filter((name) => name.startsWith('tiny'))).toEqual([])
  })

  it('keeps an endpoint and its key, and shows the key never again', async () => {
    const endpoint = page.getByRole('region', { name: 'Endpoint' })
    await endpoint.getByLabel('Model').fill('small')
    await endpoint.getByLabel('Address').fill('ftp://nope')
    await endpoint.getByRole('button', { name: 'Save' }).click()
    await endpoint.getByText('Write an address that begins with http:// or https://').waitFor()
    await endpoint.getByLabel('Address').fill('http://127.0.0.1:9/v1')
    await endpoint.getByLabel('Asked again').fill('0')
    await endpoint.getByRole('button', { name: 'Save' }).click()
    await endpoint.getByLabel('Key').fill(KEY)
    await endpoint.getByRole('button', { name: 'Keep it' }).click()
    await endpoint.getByText('A key is kept').waitFor()
    await expect.poll(() => endpoint.getByLabel('Key').inputValue()).toBe('')
    await endpoint.getByRole('button', { name: 'Use the endpoint' }).click()
    const inUse = page.getByRole('region', { name: 'In use' })
    await inUse.getByRole('button', { name: 'Test it' }).click()
    await inUse.getByText(/can't be reached/).waitFor()
    await page.reload()
    await endpoint.getByText('A key is kept').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(`${await page.content()}${heard.join('')}`).not.toContain(KEY)
    expect(readFileSync(join(dataDir, 'config.json'), 'utf8')).not.toContain(KEY)
    await endpoint.getByRole('button', { name: 'Remove' }).click()
    await endpoint.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No model. Results are shortened by rules alone').waitFor()
  })
})
