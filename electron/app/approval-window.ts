import { BrowserWindow } from 'electron'
import { showRoute } from './show-route.ts'
import { webPreferences } from './web-preferences.ts'

export function createApprovalWindow(options: { builtFolder: string }) {
  let window: BrowserWindow | undefined
  let showing: string | undefined
  const waiting = new Set<string>()

  const make = (server: string): void => {
    showing = server
    const made = new BrowserWindow({
      width: 620,
      height: 640,
      minWidth: 420,
      minHeight: 360,
      title: `${server} · Sluice`,
      show: false,
      alwaysOnTop: true,
      fullscreenable: false,
      maximizable: false,
      autoHideMenuBar: true,
      webPreferences: webPreferences(options.builtFolder),
    })
    window = made
    made.once('ready-to-show', () => made.show())
    made.on('closed', () => {
      window = undefined
      showing = undefined
      const [next] = waiting
      if (next === undefined) return
      waiting.delete(next)
      make(next)
    })
    // A crash decides nothing: the change stays in the list.
    made.webContents.on('render-process-gone', () => made.destroy())
    showRoute(made, `/approve/${encodeURIComponent(server)}`)
  }

  return {
    open: (server: string): void => {
      if (!window) make(server)
      else if (showing === server) window.show()
      else waiting.add(server)
    },
    done: () => window?.close(),
    close: () => {
      waiting.clear()
      window?.destroy()
    },
  }
}
