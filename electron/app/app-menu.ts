import { Menu, type MenuItemConstructorOptions } from 'electron'
import { menuTemplate, type MenuActions } from './menu-template.ts'

export const setAppMenu = (platform: NodeJS.Platform, actions: MenuActions): void =>
  // Without Electron's types.
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(menuTemplate(platform, actions) as MenuItemConstructorOptions[]),
  )
