import { drawAppIcon, drawTrayIcon, trayStates, type TrayState } from './drawings.ts'

/** Relative to resources/icons. */

/** One file per size. */
export const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]
/** 100 to 400 % scaling. */
export const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256]
export const macSizes = [32, 64, 128, 256, 512, 1024]
export const windowsTraySizes = [16, 20, 24, 32, 40, 48]
export const linuxTraySizes = [16, 22, 24, 32, 48]

// Outside macOS a bar's brightness is unknown: these have a contrast of 3 to 1 on light and dark.
export const trayColours: Readonly<Record<TrayState, string>> = {
  on: '#15979a',
  off: '#7b8788',
  attention: '#15979a',
}
export const DOT_COLOUR = '#c97800'

export interface PngFile {
  readonly path: string
  /** Pixels, square. */
  readonly size: number
  readonly svg: string
}

export const pngFiles: readonly PngFile[] = [
  ...linuxSizes.map((size) => ({ path: `app/${size}x${size}.png`, size, svg: drawAppIcon(size, 'full') })),
  ...trayStates.flatMap((state) => [
    ...([1, 2] as const).map((scale) => ({
      path: `tray/${state}Template${scale === 2 ? '@2x' : ''}.png`,
      size: 18 * scale,
      svg: drawTrayIcon({ state, size: 18 * scale, scale, colour: '#000', dotColour: '#000' }),
    })),
    ...linuxTraySizes.map((size) => ({
      path: `tray/${state}-${size}.png`,
      size,
      svg: colouredTrayIcon(state, size),
    })),
  ]),
]

export interface ContainerFile {
  readonly path: string
  readonly pictures: readonly { readonly size: number; readonly svg: string }[]
}

export const containerFiles: readonly ContainerFile[] = [
  { path: 'app.ico', pictures: windowsSizes.map((size) => ({ size, svg: drawAppIcon(size, 'full') })) },
  { path: 'app.icns', pictures: macSizes.map((size) => ({ size, svg: drawAppIcon(size, 'mac') })) },
  ...trayStates.map((state) => ({
    path: `tray/${state}.ico`,
    pictures: windowsTraySizes.map((size) => ({ size, svg: colouredTrayIcon(state, size) })),
  })),
]

function colouredTrayIcon(state: TrayState, size: number): string {
  return drawTrayIcon({ state, size, scale: 1, colour: trayColours[state], dotColour: DOT_COLOUR })
}
