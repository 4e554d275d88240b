import type { App } from 'electron'

/** Equals `appId` in electron-builder.yml, which the installer writes into the start menu entry. */
const APP_ID = 'dev.sluice.desktop'

/** Windows shows notifications only for a program that names its app id. */
export function sayWhichApp(app: Pick<App, 'setAppUserModelId'>, platform: NodeJS.Platform): void {
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
}
