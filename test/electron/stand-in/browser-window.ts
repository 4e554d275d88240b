import { app, onQuit } from './app.ts'
import { leaveBrowser } from './chromium.ts'
import { offer } from './control.ts'
import { StrictEmitter } from './strict.ts'
import { WebContents, type WebPreferences } from './web-contents.ts'

interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

interface WindowOptions extends Partial<Bounds> {
  readonly title?: string
  readonly show?: boolean
  readonly alwaysOnTop?: boolean
  readonly webPreferences: WebPreferences
}

/** Options that the stand-in accepts, used or not. */
const KNOWN =
  'x y width height minWidth minHeight title show alwaysOnTop webPreferences autoHideMenuBar fullscreenable maximizable'.split(
    ' ',
  )

let lastId = 0
const open = new Set<BrowserWindow>()

export class BrowserWindow extends StrictEmitter {
  readonly id = ++lastId
  readonly webContents: WebContents
  readonly #title: string
  #bounds: Bounds
  #isVisible: boolean
  #isMinimized = false
  #isMaximized = false
  readonly #options: WindowOptions
  #isDestroyed = false

  constructor(options: WindowOptions) {
    super('BrowserWindow')
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    this.#title = options.title ?? ''
    this.#options = options
    const unknown = Object.keys(options).find((key) => !KNOWN.includes(key))
    if (unknown !== undefined) throw new Error(`The stand-in knows no window with ${unknown}.`)
    this.#isVisible = options.show ?? true
    this.webContents = new WebContents(options.webPreferences, { width, height })
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
    open.add(this)
    app.emit('browser-window-created', {}, this)
  }

  static getAllWindows(): BrowserWindow[] {
    return [...open]
  }

  static getFocusedWindow(): BrowserWindow | null {
    return [...open].findLast((window) => window.isVisible()) ?? null
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  show(): void {
    this.#isVisible = true
    this.emit('show')
  }

  hide(): void {
    this.#isVisible = false
    this.emit('hide')
  }

  focus(): void {
    this.emit('focus')
  }

  isVisible(): boolean {
    return this.#isVisible
  }

  maximize(): void {
    this.#isMaximized = true
  }

  isMaximized(): boolean {
    return this.#isMaximized
  }

  isMinimized(): boolean {
    return this.#isMinimized
  }

  restore(): void {
    this.#isMinimized = false
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  getNormalBounds(): Bounds {
    return this.getBounds()
  }

  getBounds(): Bounds {
    return { ...this.#bounds }
  }

  setBounds(bounds: Partial<Bounds>): void {
    this.#bounds = { ...this.#bounds, ...bounds }
    this.emit('resize')
  }

  getTitle(): string {
    return this.#title
  }

  _isOnTop(): boolean {
    return this.#options.alwaysOnTop ?? false
  }

  close(): void {
    let goesOn = true
    this.emit('close', { preventDefault: () => (goesOn = false) })
    if (goesOn) this.destroy()
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    open.delete(this)
    this.webContents.close()
    this.emit('closed')
  }
}

onQuit({
  closeWindows: () => {
    for (const window of open) window.close()
    return open.size === 0
  },
  end: leaveBrowser,
})

const windowOf = (id: number): BrowserWindow => {
  const window = [...open].find((candidate) => candidate.id === id)
  if (!window) throw new Error(`There is no window ${id}.`)
  return window
}

offer('windows', () =>
  [...open].map((window) => ({
    id: window.id,
    title: window.getTitle(),
    isVisible: window.isVisible(),
    isOnTop: window._isOnTop(),
    url: window.webContents.getURL(),
    bounds: window.getBounds(),
  })),
)
offer('close window', (id: number) => windowOf(id).close())
offer('move window', ({ id, bounds }: { id: number; bounds: Partial<Bounds> }) =>
  windowOf(id).setBounds(bounds),
)
offer('crash window', (id: number) => windowOf(id).webContents._crash())
offer('try ipc', ({ id, url }: { id: number; url: string }) => windowOf(id).webContents._sendAs(url))
