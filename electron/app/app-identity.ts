import type { App } from 'electron'

/** The same as `appId` in electron-builder.yml, which the installer writes into the start menu's entry. */
export const APP_ID = 'dev.sluice.desktop'

/** Windows shows notifications, and keeps them apart by program, only for a program that says which one it is. */
export function sayWhichApp(app: Pick<App, 'setAppUserModelId'>, platform: NodeJS.Platform): void {
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
}
