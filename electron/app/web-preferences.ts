import { join } from 'node:path'
import type { WebPreferences } from 'electron'

/** Of every window. Most of it is Electron's default, and said all the same: nothing here may depend on a default. */
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
