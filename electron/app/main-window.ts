import { join } from 'node:path'
import { BrowserWindow, type BrowserWindowConstructorOptions } from 'electron'
import { pageUrl } from './serve-page.ts'

export interface MainWindow {
  /** Brings the window to the front, at this screen, such as "/approvals"; made when there is none. */
  show(route?: string): void
  /** From now on closing closes it, instead of hiding it in the tray. */
  letGo(): void
}

const SIZE = { width: 1180, height: 780, minWidth: 720, minHeight: 480 }

export const webPreferences = (builtFolder: string): BrowserWindowConstructorOptions['webPreferences'] => ({
  preload: join(builtFolder, 'electron', 'preload.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  spellcheck: false,
})

/** One window at most. Closing hides it: the app lives in the tray. */
export function createMainWindow(options: { builtFolder: string }): MainWindow {
  let window: BrowserWindow | undefined
  let mayClose = false

  const make = (route: string): BrowserWindow => {
    const made = new BrowserWindow({
      ...SIZE,
      title: 'Sluice',
      show: false,
      autoHideMenuBar: true,
      webPreferences: webPreferences(options.builtFolder),
    })
    made.once('ready-to-show', () => made.show())
    made.on('close', (event) => {
      if (mayClose) return
      event.preventDefault()
      made.hide()
    })
    made.on('closed', () => (window = undefined))
    void made.loadURL(pageUrl(route))
    return made
  }

  return {
    show: (route) => {
      if (!window) {
        window = make(route ?? '/')
        return
      }
      if (route !== undefined) void window.loadURL(pageUrl(route))
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    letGo: () => (mayClose = true),
  }
}
