import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import './control.ts'
import { ipcMain } from './ipc-main.ts'
import { protocol } from './protocol.ts'
import { session } from './session.ts'
import { shell } from './shell.ts'
import { strict } from './strict.ts'

// What `import … from 'electron'` means under the stand-in. A name that is not here fails at its import.

export { app, BrowserWindow, ipcMain, protocol, session, shell }
/** For packages that import all of it; asking for what is not here throws. */
const everything: object = strict('electron', { app, BrowserWindow, ipcMain, protocol, session, shell })
export default everything
