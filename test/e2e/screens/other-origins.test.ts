import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../../helpers/browser.ts'
import { writeConfig } from '../../helpers/data-folder.ts'
import { createProgramBrowser } from '../../helpers/program-browser.ts'
import { startEngine, type RunningEngine } from '../../helpers/running-engine.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

// A signed-in browser visits other pages, on this machine and by a name that leads to it.

const executable = findBrowser()
const REBOUND = 'rebound.example'

describe.skipIf(executable === undefined)('pages of other origins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  let engine: RunningEngine
  let browser: Browser
  let context: BrowserContext
  let elsewhere: Server
  let elsewhereUrl: string
  const configText = (): string => readFileSync(join(engine.dataDir, 'config.json'), 'utf8')

  beforeAll(async () => {
    engine = await startEngine(writeConfig(join(folder, 'data'), { one: { command: 'planted-command' } }))
    elsewhere = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>elsewhere</title>')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    browser = await startBrowser(executable ?? '', [`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`])
    context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(/screens:\s+(\S+)/.exec(engine.output())?.[1] ?? '')
    // The session works: its own page shows what the others may not see.
    await page.goto(`${engine.url}/#/servers`)
    await page.getByText('planted-command').first().waitFor()
    await page.close()
  })
  afterAll(async () => {
    await browser?.close()
    elsewhere?.close()
    await engine?.stop()
    removeFolder(folder)
  })

  it('a page on another port of this machine reads nothing, whatever way it asks', async () => {
    const page = await context.newPage()
    await page.goto(elsewhereUrl)
    const heard = await page.evaluate(async (target) => {
      const words: string[] = []
      const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
        const got = await work().catch(() => 'refused')
        words.push(`${what}: ${String(got)}`)
      }
      const read = (path: string, init?: RequestInit) => async () => {
        const response = await fetch(target + path, init)
        return response.type === 'opaque' ? 'opaque' : response.text()
      }
      await attempt('fetch', read('/api/config', { credentials: 'include' }))
      await attempt('opaque fetch', read('/api/config', { credentials: 'include', mode: 'no-cors' }))
      await attempt(
        'fetch with JSON',
        read('/rpc/settings/raw', {
          method: 'POST',
          credentials: 'include',
          headers: { 'Content-Type': 'application/json' },
          body: '{}',
        }),
      )
      await attempt(
        'stream',
        () =>
          new Promise((resolve) => {
            const source = new EventSource(`${target}/api/live`, { withCredentials: true })
            source.onmessage = (event) => resolve(event.data)
            source.onerror = () => (source.close(), resolve('refused'))
          }),
      )
      await attempt(
        'socket',
        () =>
          new Promise((resolve) => {
            const socket = new WebSocket(target.replace('http', 'ws'))
            socket.onopen = () => resolve('open')
            socket.onerror = () => resolve('refused')
          }),
      )
      await attempt(
        'frame',
        () =>
          new Promise((resolve) => {
            const frame = document.createElement('iframe')
            frame.src = target
            frame.onload = () => {
              let text: string | undefined
              try {
                text = frame.contentDocument?.body.textContent
              } catch {
                text = undefined
              }
              resolve(text ?? 'refused')
            }
            document.body.append(frame)
          }),
      )
      return words
    }, engine.url)
    expect(heard.join('\n')).not.toContain('planted-command')
    expect(heard).toEqual([
      'fetch: refused',
      'opaque fetch: refused',
      'fetch with JSON: refused',
      'stream: refused',
      'socket: refused',
      'frame: refused',
    ])
    await page.close()
  })

  it('it changes nothing either: no form, no request without an answer', async () => {
    const before = configText()
    const page = await context.newPage()
    await page.goto(elsewhereUrl)
    const isBeacon = (request: Request): boolean => request.resourceType() === 'ping'
    const answered = Promise.race([
      page.waitForEvent('requestfinished', isBeacon),
      page.waitForEvent('requestfailed', isBeacon),
    ])
    await page.evaluate(async (target) => {
      const text = JSON.stringify({ json: { edits: [{ path: ['logLevel'], value: 'debug' }] } })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
        await fetch(`${target}/rpc/settings/update`, {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          headers: { 'Content-Type': type },
          body: text,
        }).catch(() => undefined)
      navigator.sendBeacon(`${target}/rpc/settings/update`, text)
    }, engine.url)
    await answered
    await page.setContent(
      `<form method="post" enctype="text/plain" action="${engine.url}/api/reload"><input name='{"json":{}, "a' value='":1}'></form>`,
    )
    await Promise.all([page.waitForNavigation(), page.evaluate(() => document.forms[0]?.submit())])
    expect(await page.textContent('body')).not.toContain('restarted')
    expect(configText()).toBe(before)
    await page.close()
  })

  it('a name that leads to this machine gets no page, no answer and no cookie', async () => {
    const page = await context.newPage()
    const address = engine.url.replace('127.0.0.1', REBOUND)
    for (const path of ['/', '/api/config', '/open?code=guess', '/access', '/new-link', '/mcp']) {
      const response = await page.goto(address + path)
      expect(response?.status(), path).toBe(403)
    }
    expect((await context.cookies(address)).map(({ name }) => name)).toEqual([])
    await page.close()
  })

  it('a link works once, and a guessed one never', async () => {
    const token = { Authorization: `Bearer ${engine.token}` }
    const link = await (await fetch(`${engine.url}/new-link`, { headers: token })).text()
    const status = async (url: string) => (await createProgramBrowser().open(url)).status
    expect(await status(link)).toBe(200)
    expect(await status(link)).toBe(401)
    expect(await status(`${engine.url}/open?code=${'A'.repeat(32)}`)).toBe(401)
    expect(
      (await fetch(`${engine.url}/new-link`, { headers: { Authorization: 'Bearer wrong' } })).status,
    ).toBe(401)
  })

  it('the policy of the page allows no eval, no script of others and no frame, and the browser holds it', async () => {
    const page = await context.newPage()
    const response = await page.goto(engine.url)
    const policy = response?.headers()['content-security-policy'] ?? ''
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]
    expect(scripts).toBe("'self'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    const tried = await page.evaluate(async () => {
      const words: string[] = []
      // In a separate task: the test's own code is exempt from the policy.
      await new Promise<void>((resolve) =>
        setTimeout(() => {
          try {
            words.push(String(Reflect.construct(Function, ['return "ran"'])()))
          } catch (error) {
            words.push(error instanceof Error ? error.name : String(error))
          }
          resolve()
        }),
      )
      const inline = document.createElement('script')
      inline.textContent = 'globalThis.ranInline = true'
      document.body.append(inline)
      words.push(String(Reflect.get(globalThis, 'ranInline')))
      words.push(
        await fetch('https://example.com').then(
          () => 'asked',
          () => 'refused',
        ),
      )
      return words
    })
    expect(tried).toEqual(['EvalError', 'undefined', 'refused'])
    await page.close()
  })
})
