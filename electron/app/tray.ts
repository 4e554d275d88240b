import { join } from 'node:path'
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
import {
  endingMenu,
  trayMenu,
  trayState,
  trayTip,
  type TrayActions,
  type TrayFacts,
  type TrayItem,
  type TrayState,
} from './tray-menu.ts'

export interface TrayIcon {
  show(facts: TrayFacts): void
  showEnding(): void
  close(): void
}

export interface TrayOptions {
  readonly actions: TrayActions
  /** Has `icons/tray`. */
  readonly resourcesFolder: string
  readonly platform: NodeJS.Platform
}

export function createTray({ actions, resourcesFolder, platform }: TrayOptions): TrayIcon {
  const images = new Map<TrayState, NativeImage>()
  const imageOf = (state: TrayState): NativeImage => {
    const image = images.get(state) ?? readImage(resourcesFolder, platform, state)
    images.set(state, image)
    return image
  }
  let tray: Tray | undefined
  let shown = ''

  return {
    show: (facts) => {
      const state = trayState(facts)
      // Linux closes an open menu when it is set again, so only changes are set.
      const words = JSON.stringify([state, facts])
      if (words === shown) return
      shown = words
      if (!tray) {
        tray = new Tray(imageOf(state))
        // macOS opens the menu on every click; elsewhere, as users expect, the left button opens the window.
        if (platform !== 'darwin') tray.on('click', () => actions.open('/'))
      } else tray.setImage(imageOf(state))
      tray.setToolTip(trayTip(facts))
      tray.setContextMenu(menuOf(trayMenu(facts, actions)))
    },
    showEnding: () => {
      tray?.setToolTip('Sluice is ending its servers')
      tray?.setContextMenu(menuOf(endingMenu))
    },
    close: () => {
      tray?.destroy()
      tray = undefined
    },
  }
}

/** Without Electron's types. */
const menuOf = (items: readonly TrayItem[]): Menu =>
  Menu.buildFromTemplate([...items] as MenuItemConstructorOptions[])

/** macOS colours template images and finds the @2x file; Windows picks a size from the .ico. */
function readImage(folder: string, platform: NodeJS.Platform, state: TrayState): NativeImage {
  const file = { darwin: `${state}Template.png`, win32: `${state}.ico` }[platform as string]
  const image = nativeImage.createFromPath(join(folder, 'icons', 'tray', file ?? `${state}-22.png`))
  if (platform === 'darwin') image.setTemplateImage(true)
  return image
}
