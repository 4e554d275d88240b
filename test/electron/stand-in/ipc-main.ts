import { StrictEmitter } from './strict.ts'

/** Pages speak through `emit`; the app listens. */
export const ipcMain = new StrictEmitter('ipcMain')
