import type { BrowserWindow } from 'electron'
import { pageUrl } from './serve-page.ts'

/** A load that a later one interrupts isn't a failure. */
export function showRoute(window: BrowserWindow, route: string): void {
  window.loadURL(pageUrl(route)).catch((error: unknown) => {
    if (!String(error).includes('ERR_ABORTED')) throw error
  })
}
