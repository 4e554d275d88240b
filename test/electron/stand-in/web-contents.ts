import type { Page, Request, Route } from 'playwright-core'
import { app } from './app.ts'
import { browserContext } from './chromium.ts'
import { ipcMain } from './ipc-main.ts'
import { MessagePortMain } from './message-ports.ts'
import { installPreload, type SentByPage } from './preload-world.ts'
import { answerFromApp, fromBrowserUrl, toBrowserUrl } from './protocol.ts'
import { session } from './session.ts'
import { strict, StrictEmitter } from './strict.ts'

export interface WebPreferences {
  readonly preload: string
  readonly contextIsolation: boolean
  readonly sandbox: boolean
  readonly nodeIntegration: boolean
  readonly webSecurity?: boolean
  readonly nodeIntegrationInWorker?: boolean
  readonly nodeIntegrationInSubFrames?: boolean
  readonly allowRunningInsecureContent?: boolean
  readonly experimentalFeatures?: boolean
  readonly webviewTag?: boolean
  readonly navigateOnDragDrop?: boolean
  readonly safeDialogs?: boolean
  readonly spellcheck?: boolean
}

type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' }

let lastId = 0

/** The address changes as the page navigates. */
const createFrame = (url: () => string) =>
  strict('WebFrameMain', {
    get url() {
      return url()
    },
  })
export type WebFrameMain = ReturnType<typeof createFrame>

/** A busy machine closes a port late. */
const PATIENCE_MS = 10_000

/** A page in Debian's Chromium, with the app's rules. */
export class WebContents extends StrictEmitter {
  readonly id = ++lastId
  readonly session = session.defaultSession
  readonly mainFrame: WebFrameMain = createFrame(() => this.#url)
  readonly #preferences: WebPreferences
  readonly #size: { width: number; height: number }
  readonly #page: Promise<Page>
  #openHandler: OpenHandler = () => ({ action: 'allow' })
  #url = ''
  /** A load by the app itself, which is not a navigation of the page. */
  #loading: string | undefined
  #destroyed = false

  constructor(preferences: WebPreferences, size: { width: number; height: number }) {
    super('WebContents')
    if (!preferences.contextIsolation || !preferences.sandbox || preferences.nodeIntegration)
      throw new Error('The stand-in runs windows with context isolation and a sandbox only.')
    this.#preferences = preferences
    this.#size = size
    this.#page = this.#open()
    this.#page.catch((error: unknown) => console.error('The stand-in opened no page:', error))
    app.emit('web-contents-created', {}, this)
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page
    this.#loading = url
    try {
      await page.goto(toBrowserUrl(url))
    } catch (error) {
      if (!/ERR_ABORTED|interrupted by another navigation/.test(String(error))) throw error
      // Electron's error: a later load replaced this one.
      throw Object.assign(new Error(`ERR_ABORTED (-3) loading '${url}'`), { code: 'ERR_ABORTED' })
    } finally {
      this.#loading = undefined
    }
    this.emit('did-finish-load')
  }

  getURL(): string {
    return this.#url
  }

  reload(): void {
    void this.#page.then((page) => page.reload())
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  /** Chromium's own crash page; the app must notice by itself. */
  async _crash(): Promise<void> {
    const page = await this.#page
    const gone = new Promise((resolve) => this.once('render-process-gone', resolve))
    void page.goto('chrome://crash').catch(() => {})
    await gone
  }

  /** A message with a port from another page; returns whether the app closed the port. */
  _sendAs(url: string): Promise<boolean> {
    const frame = createFrame(() => url)
    return new Promise((resolve) => {
      const port = new MessagePortMain(() => ({ deliver: () => {}, disconnect: () => resolve(true) }))
      ipcMain.emit('sluice:port', { sender: this, senderFrame: frame, ports: [port] }, undefined)
      setTimeout(() => resolve(false), PATIENCE_MS)
    })
  }

  close(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.emit('destroyed')
    void this.#page.then((page) => page.close()).catch(() => {})
  }

  async #open(): Promise<Page> {
    const page = await (await browserContext()).newPage()
    await page.setViewportSize(this.#size)
    await page.route('**/*', (route) => void this.#serve(page, route))
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#url = fromBrowserUrl(frame.url())
    })
    page.on('popup', (popup) => void popup.close())
    page.on('download', (download) => {
      const event = { prevented: false, preventDefault: () => (event.prevented = true) }
      session.defaultSession.emit('will-download', event, {}, this)
      if (event.prevented) void download.cancel()
    })
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 133 }))
    const cdp = await page.context().newCDPSession(page)
    cdp.on('Page.windowOpen', ({ url }) => {
      const { action } = this.#openHandler({ url: fromBrowserUrl(url) })
      if (action !== 'deny') throw new Error('The stand-in opens no further windows for pages.')
    })
    await installPreload(cdp, this.#preferences.preload, (sent) => this.#fromPage(sent))
    return page
  }

  #fromPage({ channel, message, ports }: SentByPage): void {
    ipcMain.emit(channel, { sender: this, senderFrame: this.mainFrame, ports }, message)
  }

  async #serve(page: Page, route: Route): Promise<void> {
    const request = route.request()
    const url = fromBrowserUrl(request.url())
    if (isOwnMove(page, request) && url !== this.#loading && !this.#mayGo(url)) return route.abort('aborted')
    const answer = await answerFromApp(url, request.method()).catch((error: unknown) => {
      console.error('The app did not answer', url, error)
      return undefined
    })
    if (!answer) return route.abort('blockedbyclient')
    const headers = Object.fromEntries(answer.headers)
    await route.fulfill({
      status: answer.status,
      headers,
      body: Buffer.from(await answer.arrayBuffer()),
    })
  }

  #mayGo(url: string): boolean {
    const event = { url, prevented: false, preventDefault: () => (event.prevented = true) }
    this.emit('will-navigate', event)
    return !event.prevented
  }
}

const isOwnMove = (page: Page, request: Request): boolean =>
  request.isNavigationRequest() && request.frame() === page.mainFrame()
