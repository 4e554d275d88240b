import { BrowserWindow, screen } from 'electron'
import type { Bounds, PreferenceStore } from './preferences.ts'
import { showRoute } from './show-route.ts'
import { webPreferences } from './web-preferences.ts'

export interface MainWindowOptions {
  readonly builtFolder: string
  readonly preferences: PreferenceStore
  /** `again`: it was reopened. */
  readonly onCrash: (reason: string, again: boolean) => void
  readonly onHidden: () => void
  /** Unix milliseconds. */
  readonly now: () => number
}

const SIZE = { width: 1180, height: 780 }
const SMALLEST = { minWidth: 720, minHeight: 480 }
/** More frequent crashes: reopening doesn't help. */
const CRASHES = 3
const WITHIN_MS = 60_000

export function createMainWindow(options: MainWindowOptions) {
  const { preferences, now } = options
  let window: BrowserWindow | undefined
  let mayClose = false
  let crashes: number[] = []

  const remember = (from: BrowserWindow): void => {
    const isMaximised = from.isMaximized()
    preferences.set({ isMaximised, bounds: from.getNormalBounds() })
  }

  const make = (route: string): BrowserWindow => {
    const { bounds, isMaximised } = preferences.current
    const made = new BrowserWindow({
      ...SIZE,
      ...(bounds && isOnScreen(bounds) ? bounds : {}),
      ...SMALLEST,
      title: 'Sluice',
      show: false,
      autoHideMenuBar: true,
      webPreferences: webPreferences(options.builtFolder),
    })
    if (isMaximised) made.maximize()
    made.once('ready-to-show', () => made.show())
    made.on('close', (event) => {
      remember(made)
      if (mayClose) return
      event.preventDefault()
      made.hide()
      options.onHidden()
    })
    // Windows: the user's session ends and must not be delayed.
    made.on('session-end', () => (mayClose = true))
    made.on('closed', () => (window = undefined))
    made.webContents.on('render-process-gone', (_event, { reason }) => onGone(made, reason))
    showRoute(made, route)
    return made
  }

  const onGone = (gone: BrowserWindow, reason: string): void => {
    if (mayClose || reason === 'clean-exit') return
    const url = gone.webContents.getURL()
    const wasVisible = gone.isVisible()
    gone.destroy()
    crashes = [...crashes, now()].filter((at) => at > now() - WITHIN_MS)
    const again = wasVisible && crashes.length < CRASHES
    if (again) window = make(url.split('#')[1] ?? '/')
    options.onCrash(reason, again)
  }

  return {
    show: (route?: string): void => {
      if (!window) {
        window = make(route ?? '/')
        return
      }
      if (route !== undefined) showRoute(window, route)
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    /** Otherwise closing only hides it. */
    letClose: () => void (mayClose = true),
    close: () => {
      mayClose = true
      window?.close()
    },
  }
}

/** After a screen was unplugged, a corner large enough to drag must be visible. */
function isOnScreen({ x, y, width }: Bounds): boolean {
  return screen.getAllDisplays().some(({ workArea }) => {
    const overlap = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x)
    return overlap >= 100 && y >= workArea.y && y <= workArea.y + workArea.height - 40
  })
}
