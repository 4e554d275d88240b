import type { BrowserWindow } from 'electron'
import { pageUrl } from './serve-page.ts'

/** Shows a screen, such as "/approvals", in a window; a later one may overtake it while it is loaded, which is no failure. */
export function showRoute(window: BrowserWindow, route: string): void {
  window.loadURL(pageUrl(route)).catch((error: unknown) => {
    if (!String(error).includes('ERR_ABORTED')) throw error
  })
}
