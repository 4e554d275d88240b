import type { Engine } from '../engine/engine.ts'
import { messageOf } from '../engine/ground/errors.ts'
import type { Logger } from '../engine/ground/logger.ts'
import type { DesktopPlace } from './desktop-place.ts'
import { tellFailure } from './dialogs.ts'
import type { LoginItem } from './login-item.ts'
import type { NoticeTarget } from './notice-queue.ts'
import type { TrayIcon } from './tray.ts'
import { followForTray, gatherTrayFacts } from './tray-facts.ts'
import type { TrayActions } from './tray-menu.ts'

export interface EngineTrayOptions {
  readonly place: Pick<DesktopPlace, 'now'>
  readonly icon: TrayIcon
  readonly engine: Engine
  readonly logger: Logger
  readonly login: LoginItem
  open(target: NoticeTarget): void
  startAtLogin(on: boolean): void
  quit(): void
}

export function createEngineTray(options: EngineTrayOptions) {
  const { place, engine, logger, login } = options
  const open = (target: NoticeTarget): void => options.open(target)
  /** Shows failures, e.g. a full disk. */
  const attempt = (act: () => void): void => {
    try {
      act()
    } catch (error) {
      tellFailure(messageOf(error))
    }
    refresh()
  }
  const { icon } = options
  const actions: TrayActions = {
    switchOn: (on) => attempt(() => engine.mainSwitch.set({ what: 'everything', on })),
    pauseCompression: (minutes) =>
      attempt(() =>
        engine.mainSwitch.set({
          what: 'compression',
          on: minutes === undefined,
          ...(minutes === undefined ? {} : { minutes }),
        }),
      ),
    useProfile: (name) => attempt(() => engine.settings.update([{ path: ['profile'], value: name }])),
    open: (route) => open({ route }),
    review: (server) => open({ review: server }),
    startAtLogin: (on) => attempt(() => options.startAtLogin(on)),
    quit: () => options.quit(),
  }
  let isEnding = false
  let latest = 0
  const refresh = (): void => {
    const mine = ++latest
    gatherTrayFacts(engine, { now: place.now(), login })
      .then((facts) => mine === latest && !isEnding && icon.show(facts, actions))
      .catch((error: unknown) => logger.warn('The tray could not be updated.', { cause: messageOf(error) }))
  }
  const stop = followForTray(engine, refresh)
  refresh()
  return {
    refresh,
    stop: () => {
      stop()
      isEnding = true
    },
  }
}
