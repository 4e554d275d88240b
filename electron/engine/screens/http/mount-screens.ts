import { LINK_PATH } from '../../../../shared/access.ts'
import type { Launcher, NoLauncher } from '../../client-configs/entries/sluice-entry.ts'
import { NEW_LINK_PATH } from '../../clients/listeners.ts'
import type { HttpServer } from '../../clients/transports/http-server.ts'
import { typedCommand } from '../../clients/typed-command.ts'
import type { RootLogger } from '../../ground/logger.ts'
import type { Surroundings } from '../../ground/surroundings.ts'
import type { ServerStates } from '../../servers/states.ts'
import { formatProblem } from '../../settings/settings-problem.ts'
import type { SettingsStore } from '../../settings/settings-store.ts'
import type { LoadScreens } from '../create-screens.ts'
import { createAdmittedBrowsers } from './admitted-browsers.ts'
import { createBrowserAccess } from './browser-access.ts'
import { createHealth } from './health.ts'
import { createDashboard, isAdmitted } from './serve-dashboard.ts'

export interface MountScreensOptions extends Omit<Surroundings, 'tempDir'> {
  readonly dataDir: string
  readonly logger: RootLogger
  readonly settings: SettingsStore
  readonly loadScreens: LoadScreens
  readonly serverStates: ServerStates
  /** Undefined if not built. */
  readonly screensFolder?: string | undefined
  /** From outside. */
  readonly launcher?: Launcher | NoLauncher | undefined
}

/** Returns the maker of single-use links. */
export const createMountScreens =
  (options: MountScreensOptions) =>
  (server: HttpServer): (() => string) => {
    const { loadScreens, logger, settings, serverStates } = options
    const access = createBrowserAccess({
      now: () => performance.now(),
      browsers: createAdmittedBrowsers(options),
      logger,
    })
    const admits = isAdmitted({
      access,
      hasToken: (request) => server.refuseUnauthorised(request) === undefined,
      onAdmitted: server.trust,
    })
    const dashboard = createDashboard({
      loadRouter: async () => (await loadScreens()).router,
      access,
      admits,
      openCommand: typedCommand(options.launcher, ['open'], options),
      staticFolder: options.screensFolder,
      version: options.version,
      logger,
    })
    server.mount('/', dashboard, 'own')
    server.mount('/health', createHealth({ settings, serverStates, formatProblem, admits, logger }), 'own')
    const newBrowserLink = (): string => `${server.url}${LINK_PATH}?code=${access.newLinkCode()}`
    server.mount(NEW_LINK_PATH, (_request, response) => {
      response
        .writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
        .end(newBrowserLink())
    })
    return newBrowserLink
  }
