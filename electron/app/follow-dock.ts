import { app, BrowserWindow } from 'electron'
import { activationPolicy } from './activation-policy.ts'

/** macOS: in the dock and the app switcher only while a window is there. */
export function followDock(platform: NodeJS.Platform): void {
  if (platform !== 'darwin') return
  const follow = (): void =>
    app.setActivationPolicy(
      activationPolicy(BrowserWindow.getAllWindows().map((window) => window.isVisible())),
    )
  follow()
  app.on('browser-window-created', (_event, window) => {
    window.on('show', follow)
    window.on('hide', follow)
    window.on('closed', follow)
  })
}
