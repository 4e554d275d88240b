import { join } from 'node:path'
import { Menu, nativeImage, screen, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
import {
  endingMenu,
  startingMenu,
  trayMenu,
  trayState,
  trayTip,
  type TrayActions,
  type TrayFacts,
  type TrayItem,
  type TrayState,
} from './tray-menu.ts'
import { trayGuid, trayPicture } from './tray-picture.ts'

export interface TrayIcon {
  show(facts: TrayFacts, actions: TrayActions): void
  showEnding(): void
  close(): void
}

export interface TrayOptions {
  /** Works before the engine does. */
  readonly early: Pick<TrayActions, 'open' | 'quit'>
  /** Has `icons/tray`. */
  readonly resourcesFolder: string
  readonly platform: NodeJS.Platform
}

/** Visible at once, before there is an engine. */
export function createTray({ early, resourcesFolder, platform }: TrayOptions): TrayIcon {
  const images = new Map<TrayState, NativeImage>()
  const imageOf = (state: TrayState): NativeImage => {
    const image = images.get(state) ?? readImage(resourcesFolder, platform, state)
    images.set(state, image)
    return image
  }
  const guid = trayGuid(platform)
  const tray = guid === undefined ? new Tray(imageOf('off')) : new Tray(imageOf('off'), guid)
  // macOS opens the menu on every click; elsewhere, as users expect, the left button opens the window.
  if (platform !== 'darwin') tray.on('click', () => early.open('/'))
  tray.setToolTip('Sluice is starting')
  tray.setContextMenu(menuOf(startingMenu(early)))
  let shown = ''
  let isClosed = false

  return {
    show: (facts, actions) => {
      const state = trayState(facts)
      // Linux closes an open menu when it is set again, so only changes are set.
      const words = JSON.stringify([state, facts])
      if (words === shown || isClosed) return
      shown = words
      tray.setImage(imageOf(state))
      tray.setToolTip(trayTip(facts))
      tray.setContextMenu(menuOf(trayMenu(facts, actions)))
    },
    showEnding: () => {
      if (isClosed) return
      tray.setToolTip('Sluice is ending its servers')
      tray.setContextMenu(menuOf(endingMenu))
    },
    close: () => {
      if (!isClosed) tray.destroy()
      isClosed = true
    },
  }
}

/** Without Electron's types. */
const menuOf = (items: readonly TrayItem[]): Menu =>
  Menu.buildFromTemplate([...items] as MenuItemConstructorOptions[])

function readImage(folder: string, platform: NodeJS.Platform, state: TrayState): NativeImage {
  const scaleFactors = screen.getAllDisplays().map(({ scaleFactor }) => scaleFactor)
  const file = trayPicture(platform, state, scaleFactors)
  const image = nativeImage.createFromPath(join(folder, 'icons', 'tray', file))
  if (platform === 'darwin') image.setTemplateImage(true)
  return image
}
