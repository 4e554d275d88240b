import { join } from 'node:path'
import type { WebPreferences } from 'electron'

/** Repeats Electron's defaults so that nothing depends on them. */
export const webPreferences = (builtFolder: string): WebPreferences => ({
  preload: join(builtFolder, 'electron', 'preload.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
})
