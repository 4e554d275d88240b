import { app, autoUpdater } from 'electron'
import { createEnding, type EndOptions, type Ending } from './ending.ts'

/** Every way out of the app waits until its servers have ended. */
export function endInOrder(
  options: Omit<EndOptions, 'quit'> & {
    /** Otherwise a closed window only hides, and the system's installer would wait for it. */
    readonly letWindowsClose: () => void
  },
): Pick<Ending, 'endThen'> {
  const ending = createEnding({ ...options, quit: () => app.quit() })
  // Stays in the tray.
  app.on('window-all-closed', () => {})
  app.on('before-quit', (event) => {
    if (!ending.mayQuit()) event.preventDefault()
  })
  // macOS closes the windows before `before-quit`.
  autoUpdater.on('before-quit-for-update', options.letWindowsClose)
  return ending
}
