import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdateState } from '../../shared/api/desktop.ts'
import { messageOf } from '../engine/ground/errors.ts'
import type { Logger } from '../engine/ground/logger.ts'

export interface Updates {
  readonly state: UpdateState
  follow(isWanted: boolean): void
  /** Quits and starts the downloaded version. */
  install(): void
}

export interface UpdatesOptions {
  /** Has `app-update.yml`, which names the feed. */
  readonly resourcesPath: string
  readonly isPackaged: boolean
  readonly logger: Logger
  readonly onChange: () => void
  /** Ends the servers first: macOS installs once all windows are closed, Windows as soon as the installer runs. */
  readonly endThen: (last: () => void) => void
  readonly env: Readonly<Record<string, string | undefined>>
}

const EVERY_MS = 6 * 3600_000

/** electron-updater checks signatures and hashes; off until a feed is configured. */
export function createUpdates(options: UpdatesOptions): Updates {
  const hasFeed = options.isPackaged && existsSync(join(options.resourcesPath, 'app-update.yml'))
  let state: UpdateState = { state: hasFeed ? 'off' : 'no-feed' }
  let timer: NodeJS.Timeout | undefined
  let install = (): void => {}
  const become = (next: UpdateState): void => {
    state = next
    options.onChange()
  }

  const look = async (): Promise<void> => {
    try {
      const { default: updater } = await import('electron-updater')
      const { autoUpdater } = updater
      autoUpdater.autoInstallOnAppQuit = true
      install = () => autoUpdater.quitAndInstall()
      autoUpdater.removeAllListeners()
      autoUpdater.on('error', (error) => become({ state: 'failed', detail: error.message }))
      autoUpdater.on('update-available', ({ version }) => become({ state: 'downloading', version }))
      autoUpdater.on('update-not-available', () => become({ state: 'current' }))
      autoUpdater.on('update-downloaded', ({ version }) => become({ state: 'ready', version }))
      become({ state: 'checking' })
      await autoUpdater.checkForUpdates()
    } catch (error) {
      options.logger.warn('Newer versions could not be looked for.', { cause: messageOf(error) })
      become({ state: 'failed', detail: messageOf(error) })
    }
  }

  return {
    get state() {
      return state
    },
    follow: (isWanted) => {
      clearInterval(timer)
      if (!hasFeed) return
      if (!isWanted) return become({ state: 'off' })
      timer = setInterval(() => void look(), EVERY_MS)
      timer.unref()
      void look()
    },
    install: () => options.endThen(() => install()),
  }
}
