import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import './control.ts'
import { dialog } from './dialog.ts'
import { ipcMain } from './ipc-main.ts'
import { strictMenu as Menu } from './menu.ts'
import { nativeImage } from './native-image.ts'
import { Notification } from './notification.ts'
import { protocol } from './protocol.ts'
import { safeStorage } from './safe-storage.ts'
import { session } from './session.ts'
import { shell } from './shell.ts'
import { strict } from './strict.ts'
import { autoUpdater, crashReporter, nativeTheme, powerMonitor, screen } from './system.ts'
import { Tray } from './tray.ts'
import { utilityProcess } from './utility-process.ts'

// `import … from 'electron'` with the stand-in. A missing name fails at its import.

export {
  app,
  autoUpdater,
  BrowserWindow,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
}

/** For packages that import all of it; missing names throw. */
const everything: object = strict('electron', { app, ipcMain, shell })
export default everything
