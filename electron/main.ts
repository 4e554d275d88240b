import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import { setAppMenu } from './app/app-menu.ts'
import { createApprovalWindow } from './app/approval-window.ts'
import { keepCrashReportsHere } from './app/crash-reports.ts'
import { linkIn, parseLink, routeOfLink } from './app/deep-link.ts'
import { createDesktopAnswers, showTheme } from './app/desktop-answers.ts'
import { useDesktopFolder, usePlace } from './app/desktop-place.ts'
import { giveUp, tellBadLink, tellResisting } from './app/dialogs.ts'
import { endInOrder } from './app/end-in-order.ts'
import { createDesktopLogger, startEngineHost, type EngineHost } from './app/engine-host.ts'
import { followEngine } from './app/engine-notices.ts'
import { createEngineTray } from './app/engine-tray.ts'
import { followDock } from './app/follow-dock.ts'
import { createForkModelProcess } from './app/fork-model-process.ts'
import { hiddenNotice } from './app/hidden-notice.ts'
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
import { startsHidden } from './app/starts-hidden.ts'
import { createTray } from './app/tray.ts'
import { showsTray } from './app/tray-host.ts'
import { createUpdates } from './app/updates.ts'
import { setWebRules } from './app/web-rules.ts'
import { desktopLauncher, unpackingFileOf } from './cli/desktop-launcher.ts'
import type { RootLogger } from './engine/ground/logger.ts'
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
  const { platform } = place
  const logger = createDesktopLogger(place)
  const preferences = openPreferences((message) => logger.error(message))
  showTheme(preferences.current.theme)
  setWebRules()
  servePage(join(place.builtFolder, 'renderer'))
  followDock(platform)

  const launcher = desktopLauncher(place)
  const launchers = createLaunchers({ ...place, launcher })
  const program = unpackingFileOf(place) ?? place.execPath
  const login = createLoginItem({ ...place, program })
  const updates = createUpdates({
    ...place,
    logger,
    onChange: () => desktop.changed(),
    endThen: (last) => ending.endThen(last),
  })
  const approval = createApprovalWindow(place)
  const onDone = (): void => approval.done()
  const desktop = createDesktopAnswers({ preferences, login, updates, launchers, onDone })

  const open = (target: NoticeTarget): void =>
    'review' in target ? approval.open(target.review) : window.show(target.route)
  const notifications = createNotifications(open)
  const notices = createNoticeQueue({
    now: place.now,
    show: (notice) => notifications.show(notice),
    isWanted: (kind) => preferences.current.notices[kind],
  })
  let hasTray = true
  void showsTray(platform).then((shown) => (hasTray = shown))
  const window = createMainWindow({
    ...place,
    preferences,
    onHidden: () => {
      const notice = hiddenNotice({ platform, hasTray, wasNotified: preferences.current.wasToldOfTray })
      if (notice) notifications.show(notice)
      preferences.set({ wasToldOfTray: true })
    },
    onCrash: (reason, again) => {
      logger.error('The window ended by itself.', { reason, again })
      notices.add(windowCrashed(again))
    },
  })
  const quit = (): void => app.quit()
  const show = (route: string): void => window.show(route)
  setAppMenu(platform, { open: show, close: () => BrowserWindow.getFocusedWindow()?.close(), quit })
  const icon = createTray({ ...place, early: { open: show, quit } })

  // Window and tray first: the engine waits for the user's shell, which may take seconds.
  const starting = startEngine(logger, { launcher, desktop: desktop.answers })
  takeScreensPorts({
    serveScreens: async (port) => (await starting).engine.serveScreens(port),
    logger,
  })
  const stops: (() => void)[] = []
  const ending = endInOrder({
    end: async () => {
      for (const stop of stops) stop()
      icon.showEnding()
      notices.close()
      window.close()
      approval.close()
      const started = await starting.catch(() => undefined)
      const resisting = (await started?.close()) ?? []
      notifications.close()
      icon.close()
      logger.close()
      return resisting
    },
    tell: tellResisting,
    letWindowsClose: () => window.letClose(),
  })
  const hasLink = linkIn(place.argv) !== undefined
  const wasOpenedAtLogin = platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
  const isHidden = startsHidden({ platform, isRequested: place.isHideRequested, wasOpenedAtLogin, hasLink })
  if (!isHidden && !hasLink) window.show()

  const host = await starting
  const { engine } = host
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
    icon,
    engine,
    logger,
    login,
    open,
    startAtLogin: (startAtLogin) => desktop.choose({ startAtLogin }),
    quit,
  })
  stops.push(() => tray.stop())
  followPower({
    onAway: () => notices.hold(true),
    onBack: () => {
      engine.wake()
      notices.hold(false)
      tray.refresh()
    },
  })

  registerLinks({ ...place, program })
  starts.follow((argv) => {
    const text = linkIn(argv)
    if (text === undefined) return window.show()
    const parsed = parseLink(text)
    if (parsed.ok) window.show(routeOfLink(parsed.link))
    else tellBadLink(parsed.why)
  })
  if (hasLink) starts.again(place.argv)

  if (host.portTaken !== undefined) notices.add(portIsTaken(host.portTaken))
  launchers.look(engine.settings.current.http.port)
  if (launchers.lost.length > 0) notices.add(launchersAreLost(launchers.lost.length))
  updates.follow(preferences.current.updates)
}

async function startEngine(
  logger: RootLogger,
  options: Pick<Parameters<typeof startEngineHost>[2], 'launcher' | 'desktop'>,
): Promise<EngineHost> {
  const env = await readShellEnv({ ...place, logger })
  const secrets = openSecrets({
    ...place,
    safeStorage: safeStorageVault(place.platform),
    warn: (message) => logger.warn(message),
  })
  return startEngineHost(place, logger, {
    ...options,
    env,
    secrets,
    forkModelProcess: createForkModelProcess(env),
  })
}
