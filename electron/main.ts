import { join } from 'node:path'
import { app } from 'electron'
import { createApprovalWindow } from './app/approval-window.ts'
import { keepCrashReportsHere } from './app/crash-reports.ts'
import { linkIn, parseLink, routeOfLink } from './app/deep-link.ts'
import { createDesktopAnswers, showTheme } from './app/desktop-answers.ts'
import { useDesktopFolder, usePlace } from './app/desktop-place.ts'
import { giveUp, tellBadLink, tellResisting } from './app/dialogs.ts'
import { endInOrder } from './app/end-in-order.ts'
import { createDesktopLogger, startEngineHost } from './app/engine-host.ts'
import { followEngine } from './app/engine-notices.ts'
import { createEngineTray } from './app/engine-tray.ts'
import { createForkModelProcess } from './app/fork-model-process.ts'
import { createLaunchers } from './app/launchers.ts'
import { createLoginItem } from './app/login-item.ts'
import { createMainWindow } from './app/main-window.ts'
import { createNoticeQueue, type NoticeTarget } from './app/notice-queue.ts'
import { createNotifications } from './app/notifications.ts'
import { launchersAreLost, portIsTaken, windowCrashed } from './app/own-trouble.ts'
import { followPower } from './app/power.ts'
import { openPreferences } from './app/preferences.ts'
import { safeStorageVault } from './app/safe-storage.ts'
import { takeScreensPorts } from './app/screens-port.ts'
import { registerPageScheme, servePage } from './app/serve-page.ts'
import { readShellEnv } from './app/shell-env.ts'
import { becomeOnlyInstance, registerLinks, type Starts } from './app/single-instance.ts'
import { createUpdates } from './app/updates.ts'
import { setWebRules } from './app/web-rules.ts'
import { desktopLauncher, unpackingFileOf } from './cli/desktop-launcher.ts'
import { openSecrets } from './engine/ground/secrets/open-secrets.ts'

// Before Electron is ready, which is after this module's evaluation: no top-level await.
const place = usePlace()
try {
  useDesktopFolder(place)
  keepCrashReportsHere()
  registerPageScheme()
  const starts = becomeOnlyInstance()
  if (starts) runDesktop(starts).catch((error: unknown) => giveUp(error, place.dataDir))
  // The other instance has our arguments. app.quit() would first become ready and open its folder again.
  else app.exit(0)
} catch (error) {
  void giveUp(error, place.dataDir)
}

async function runDesktop(starts: Starts): Promise<void> {
  await app.whenReady()
  const logger = createDesktopLogger(place)
  const preferences = openPreferences((message) => logger.error(message))
  showTheme(preferences.current.theme)
  setWebRules()
  servePage(join(place.builtFolder, 'renderer'))

  const launcher = desktopLauncher(place)
  const launchers = createLaunchers({ ...place, launcher })
  const program = unpackingFileOf(place) ?? place.execPath
  const login = createLoginItem({ ...place, program })
  const updates = createUpdates({ ...place, logger, onChange: () => desktop.changed() })
  const approval = createApprovalWindow(place)
  const onDone = (): void => approval.done()
  const desktop = createDesktopAnswers({ preferences, login, updates, launchers, onDone })

  const env = await readShellEnv({ ...place, logger })
  const secrets = openSecrets({
    ...place,
    safeStorage: safeStorageVault(place.platform),
    warn: (message) => logger.warn(message),
  })
  const host = await startEngineHost(place, logger, {
    env,
    launcher,
    secrets,
    desktop: desktop.answers,
    forkModelProcess: createForkModelProcess(env),
  })
  const { engine } = host

  const notices = createNoticeQueue({
    now: place.now,
    show: createNotifications((target) => open(target)),
    isWanted: (kind) => preferences.current.notices[kind],
  })
  const window = createMainWindow({
    ...place,
    preferences,
    onCrash: (reason, again) => {
      logger.error('The window ended by itself.', { reason, again })
      notices.add(windowCrashed(again))
    },
  })
  const open = (target: NoticeTarget): void =>
    'review' in target ? approval.open(target.review) : window.show(target.route)
  takeScreensPorts({ serveScreens: (port) => engine.serveScreens(port), logger })
  followEngine(engine, {
    now: place.now,
    add: (notice) => {
      const opensByItself = 'review' in notice.target && preferences.current.approvals === 'open'
      if (opensByItself) open(notice.target)
      else notices.add(notice)
    },
  })

  const tray = createEngineTray({
    place,
    engine,
    logger,
    login,
    open,
    startAtLogin: (startAtLogin) => desktop.choose({ startAtLogin }),
    quit: () => app.quit(),
  })
  followPower({
    onAway: () => notices.hold(true),
    onBack: () => {
      engine.wake()
      notices.hold(false)
      tray.refresh()
    },
  })
  endInOrder({
    end: async () => {
      tray.showEnding()
      notices.close()
      window.close()
      approval.close()
      const resisting = await host.close()
      tray.close()
      logger.close()
      return resisting
    },
    tell: tellResisting,
  })

  registerLinks({ ...place, program })
  starts.follow((argv) => {
    const text = linkIn(argv)
    if (text === undefined) return window.show()
    const parsed = parseLink(text)
    if (parsed.ok) window.show(routeOfLink(parsed.link))
    else tellBadLink(parsed.why)
  })
  if (linkIn(place.argv) !== undefined) starts.again(place.argv)
  else if (!place.startsHidden) window.show()

  if (host.portTaken !== undefined) notices.add(portIsTaken(host.portTaken))
  launchers.look(engine.settings.current.http.port)
  if (launchers.lost.length > 0) notices.add(launchersAreLost(launchers.lost.length))
  updates.follow(preferences.current.updates)
}
