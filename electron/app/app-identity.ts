import type { App } from 'electron'

/** Must equal `appId` in electron-builder.yml, which the installer writes into the start menu entry. */
const APP_ID = 'dev.sluice.desktop'

/** Windows shows notifications only for programs with an app id. */
export function sayWhichApp(app: Pick<App, 'setAppUserModelId'>, platform: NodeJS.Platform): void {
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
}
