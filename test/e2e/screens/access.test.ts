import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../../helpers/axe.ts'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { writeConfig } from '../../helpers/data-folder.ts'
import { runHere } from '../../helpers/run-here.ts'
import { startEngine, type RunningEngine } from '../../helpers/running-engine.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

// Access: a real browser, and an attacker that is a program.

const executable = findBrowser()

interface Answer {
  readonly status: number
  readonly text: string
}

/** Exactly these headers, which a browser would forbid a page. */
function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        // An admitted stream would never end.
        if (response.headers['content-type']?.includes('event-stream')) response.destroy()
      })
      response.on('close', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Currently free, for an engine that starts twice. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const linkOf = (engine: RunningEngine): string => /screens:\s+(\S+)/.exec(engine.output())?.[1] ?? ''
const NO_ACCESS = 'This browser has no access to Sluice yet'

describe.skipIf(executable === undefined)('access to the screens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  const dataDir = join(folder, 'data')
  let engine: RunningEngine
  let browser: Browser
  let context: BrowserContext
  let listener: Server
  let seen: IncomingHttpHeaders = {}

  beforeAll(async () => {
    const port = await freePort()
    engine = await startEngine(
      writeConfig(dataDir, { one: { command: 'planted-command' } }, { http: { port } }),
    )
    listener = createServer((request, response) => {
      if (request.url === '/') seen = request.headers
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>elsewhere</title>')
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    browser = await startBrowser(executable ?? '')
    context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(linkOf(engine))
    await page.getByRole('link', { name: 'Servers' }).waitFor()
    expect(page.url()).toBe(`${engine.url}/#/`)
    await page.goto(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/`)
    await page.close()
  })
  afterAll(async () => {
    await browser?.close()
    listener?.close()
    await engine?.stop()
    removeFolder(folder)
  })

  it('S1: all that the browser sends to another port of this machine opens nothing, whatever a program adds', async () => {
    const marker = join(folder, 'ran')
    const review = { server: 'x', settings: { command: 'sh', args: ['-c', `id > ${marker}`] } }
    const rpc = { json: review }
    const init = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }
    const stolen: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Cookie: seen.cookie ?? 'sluice_session=none',
    }
    const disguises: Record<string, string>[] = [
      {},
      { Origin: engine.url },
      { Origin: engine.url, 'Sec-Fetch-Site': 'same-origin' },
      {
        Origin: engine.url,
        'Sec-Fetch-Site': 'none',
        'Sec-Fetch-Mode': 'navigate',
        Referer: `${engine.url}/`,
      },
    ]
    const asked: [string, string, unknown?][] = [
      ['GET', '/api/config'],
      ['GET', '/api/config/export'],
      ['GET', '/api/openapi.json'],
      ['GET', '/api/activity/live'],
      ['GET', '/api/live'],
      ['GET', '/api/logs/stream'],
      ['POST', '/api/servers/review', review],
      ['POST', '/api/reload', {}],
      ['POST', '/rpc/settings/raw', {}],
      ['POST', '/rpc/servers/review', rpc],
      ['GET', '/new-link'],
      ['POST', '/mcp', init],
      ['POST', '/mcp/one', init],
      ['POST', '/mcp/sluice', init],
      ['GET', '/sse'],
      ['POST', '/messages?sessionId=x', init],
    ]
    const answers: string[] = []
    for (const disguise of disguises)
      for (const [method, path, body] of asked) {
        const { status, text } = await send(engine.url + path, { ...stolen, ...disguise }, method, body)
        answers.push(`${method} ${path}: ${status}`)
        expect(text).not.toContain('planted-command')
      }
    expect(answers.filter((answer) => !answer.endsWith(': 401'))).toEqual([])
    expect(existsSync(marker)).toBe(false)
    expect(seen.cookie).toBeUndefined()
  })

  it('U5: a browser that was let in stays in when the engine is started anew: the open tab, and new ones', async () => {
    const page = await context.newPage()
    await page.goto(`${engine.url}/#/servers`)
    await page.getByText('planted-command').first().waitFor()
    await engine.stop()
    await page.getByText('The engine does not answer;').waitFor()
    engine = await startEngine(dataDir)
    await page.getByText('The engine does not answer;').waitFor({ state: 'detached' })
    await page.goto(`${engine.url}/#/settings?text=browsers`)
    await page.getByRole('rowheader', { name: '(this one)' }).waitFor()
    await page.reload()
    await page.getByRole('rowheader', { name: '(this one)' }).waitFor()
    await page.close()
  })

  it('U14: two engines leave each other alone, on two ports and on one', async () => {
    const other = join(folder, 'other')
    let second = await startEngine(writeConfig(other, { two: { command: 'other-command' } }))
    try {
      const show = async (running: RunningEngine, command: string, address?: string): Promise<void> => {
        const page = await context.newPage()
        if (address !== undefined) {
          await page.goto(address)
          await page.getByRole('link', { name: 'Servers' }).waitFor()
        }
        await page.goto(`${running.url}/#/servers`)
        await page.getByText(command).first().waitFor()
        await page.close()
      }
      await show(second, 'other-command', linkOf(second))
      await show(engine, 'planted-command')
      await show(second, 'other-command')
      await second.stop()

      // The same origin belongs to one data folder, then to the other.
      const { port } = new URL(engine.url)
      writeConfig(other, { two: { command: 'other-command' } }, { http: { port: Number(port) } })
      await engine.stop()
      second = await startEngine(other)
      const page = await context.newPage()
      await page.goto(second.url)
      await page.getByText(NO_ACCESS).waitFor()
      await page.close()
      await show(second, 'other-command', linkOf(second))
      await second.stop()
      engine = await startEngine(dataDir)
      await show(engine, 'planted-command')
    } finally {
      await second.stop()
    }
  })

  it('whoever has no access gets a page that says so, and the command on it lets the browser in', async () => {
    const stranger = await browser.newContext()
    const page = await stranger.newPage()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${engine.url}/open?code=${'A'.repeat(32)}#/servers`)
    await page.getByRole('heading', { name: NO_ACCESS }).waitFor()
    await page.getByRole('alert').getByText('used already').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect([...hosts]).toEqual([new URL(engine.url).host])
    const waiting = await stranger.newPage()
    await waiting.goto(engine.url)
    await waiting.getByRole('heading', { name: NO_ACCESS }).waitFor()

    const command = await page.locator('.command code').textContent()
    const link = execFileSync('sh', ['-c', command ?? ''], { encoding: 'utf8' }).trim()
    await page.bringToFront()
    await page.getByLabel('Link').fill(` ${link} `)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('planted-command').first().waitFor()
    expect(page.url()).toBe(`${engine.url}/#/servers`)
    // The other tab continues once it is visible.
    await waiting.bringToFront()
    await waiting.evaluate(() => window.dispatchEvent(new Event('focus')))
    await waiting.getByRole('link', { name: 'Servers' }).waitFor()
    await stranger.close()
  })

  it('access that is ended in Settings or by a command ends at once', async () => {
    const guest = await browser.newContext()
    const page = await guest.newPage()
    const newLink = async (): Promise<string> =>
      (await runHere(['open', '--data-dir', dataDir])).stdout.trim()
    const list = async (): Promise<{ id: string; name: string }[]> =>
      JSON.parse((await runHere(['browsers', 'list', '--json', '--data-dir', dataDir])).stdout) as []
    const before = (await list()).map(({ id }) => id)
    await page.goto(await newLink())
    await page.getByRole('link', { name: 'Settings' }).click()
    const row = page.getByRole('row').filter({ hasText: '(this one)' })
    await row.getByRole('button', { name: 'End access' }).click()
    await row.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: NO_ACCESS }).waitFor()
    expect((await list()).map(({ id }) => id)).toEqual(before)

    await page.goto(await newLink())
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    const mine = (await list()).find(({ id }) => !before.includes(id))
    expect(mine?.name).toMatch(/^Chrome \d+ on Linux$/)
    const revoked = await runHere(['browsers', 'revoke', mine?.id.slice(0, 8) ?? '', '--data-dir', dataDir])
    expect(revoked.stdout).toBe('One browser has no access any more.\n')
    await page.getByText('The access of this browser to Sluice has ended').waitFor()
    // Others are unaffected.
    const own = await context.newPage()
    await own.goto(engine.url)
    await own.getByRole('link', { name: 'Servers' }).waitFor()
    await guest.close()
    await own.close()
  })

  it('S17: who takes the port while Sluice is down finds nothing that opens it later', async () => {
    await engine.stop()
    const { port } = new URL(engine.url)
    const thiefPage = '<!doctype html><title>thief</title>'
    const worker = `self.addEventListener('install', () => self.skipWaiting())
      self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
      self.addEventListener('fetch', (event) => event.respondWith(
        new Response('${thiefPage}', { headers: { 'Content-Type': 'text/html' } })))`
    const thief = createServer(({ url }, response) => {
      const isWorker = url === '/worker.js'
      response
        .writeHead(200, { 'Content-Type': isWorker ? 'text/javascript' : 'text/html' })
        .end(isWorker ? worker : thiefPage)
    })
    await new Promise<void>((resolve) => thief.listen(Number(port), '127.0.0.1', resolve))
    const page = await context.newPage()
    await page.goto(engine.url)
    const loot = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('sluice-access')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error ?? new Error('no database'))
      })
      const pair = await new Promise<CryptoKeyPair>((resolve, reject) => {
        const request = database.transaction('keys').objectStore('keys').get('browser')
        request.onsuccess = () => resolve(request.result as CryptoKeyPair)
        request.onerror = () => reject(request.error ?? new Error('no key'))
      })
      database.close()
      await navigator.serviceWorker.register('/worker.js')
      await navigator.serviceWorker.ready
      const words = [
        JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
        document.cookie,
      ]
      for (const format of ['pkcs8', 'jwk', 'raw'] as const)
        words.push(
          await crypto.subtle.exportKey(format as 'jwk', pair.privateKey).then(
            () => 'taken',
            () => 'refused',
          ),
        )
      return words
    })
    expect(loot[0]).not.toMatch(/[\w-]{24}/)
    expect(loot.slice(1)).toEqual(['', 'refused', 'refused', 'refused'])
    thief.closeAllConnections()
    await new Promise((resolve) => thief.close(resolve))
    engine = await startEngine(dataDir)
    // The attacker's worker answers once more, then Sluice.
    await page.goto(engine.url)
    await page.getByRole('link', { name: 'Servers' }).waitFor()
    const workers = async () => (await navigator.serviceWorker.getRegistrations()).length
    await expect.poll(() => page.evaluate(workers)).toBe(0)
    await page.close()
  })
})
