import { offer } from './control.ts'
import { strict, StrictEmitter } from './strict.ts'

export class NativeTheme extends StrictEmitter {
  themeSource: 'system' | 'light' | 'dark' = 'system'
  constructor() {
    super('nativeTheme')
  }
}
export const nativeTheme: NativeTheme = new NativeTheme()
offer('theme', () => nativeTheme.themeSource)

export const powerMonitor = new StrictEmitter('powerMonitor')
offer('power', (what: 'suspend' | 'resume' | 'lock-screen' | 'unlock-screen' | 'shutdown') =>
  powerMonitor.emit(what, { preventDefault: () => {} }),
)

const workArea = { x: 0, y: 0, width: 1920, height: 1080 }
export const screen = strict('screen', { getAllDisplays: () => [{ workArea, scaleFactor: 1 }] })

let crashOptions: unknown
export const crashReporter = strict('crashReporter', {
  start: (options: { uploadToServer?: boolean; compress?: boolean }): void => {
    if (options.uploadToServer !== false) throw new Error('Crash reports would leave the machine.')
    crashOptions = options
  },
})
offer('crash options', () => crashOptions)

/** The system's own installer, which only macOS has. */
export const autoUpdater = new StrictEmitter('autoUpdater')
offer('native update', () => autoUpdater.emit('before-quit-for-update'))
