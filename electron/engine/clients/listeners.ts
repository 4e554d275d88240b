import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readAccessToken } from './transports/access-token.ts'
import type { OpenSession } from './transports/client-session.ts'
import { startHttpServer, type HttpServer } from './transports/http-server.ts'
import { listenLocalSocket, type LocalSocket } from './transports/local-socket.ts'
import { explainFileFailure } from '../ground/files/explain-file-failure.ts'
import type { RootLogger } from '../ground/logger.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { ParseLarge } from '../work/large-messages.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'

/** File with the engine's HTTP address, for commands. */
export const URL_FILE = 'engine.url'
/** Returns a new single-use link, with the access token. */
export const NEW_LINK_PATH = '/new-link'

export interface ListenOptions {
  /** Overrides config.json's `http.port`; 0 takes any free one. */
  readonly port?: number
}

/** The ways in, while they are open. */
export interface Listening {
  /** Of the loopback HTTP server, without a path. */
  readonly url: string
  readonly socketPath: string
  /** A link that opens the screens in a browser, once. */
  newBrowserLink(): string
}

export interface ListenersOptions {
  readonly version: string
  readonly dataDir: string
  readonly platform: NodeJS.Platform
  readonly tempDir: string
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  readonly logger: RootLogger
  readonly settings: SettingsStore
  readonly openSession: OpenSession
  /** Mounts the screens on the server; returns what makes a link that opens them once. */
  readonly mountScreens: (server: HttpServer) => () => string
  /** For what clients send. */
  readonly parseLarge?: ParseLarge
}

export interface Listeners {
  open(options?: ListenOptions): Promise<Listening>
  close(): Promise<void>
}

/** Opens the local socket for `sluice connect` and loopback HTTP for clients and screens. */
export function createListeners(options: ListenersOptions): Listeners {
  const { logger, openSession, settings } = options
  let socket: LocalSocket | undefined
  let http: HttpServer | undefined
  let stopFollowing = (): void => {}

  /** Clients hold the address, so a listening server doesn't move. */
  const followPort = (url: string): void => {
    const atStart = settings.current.http.port
    let known = atStart
    stopFollowing = settings.onChange(() => {
      const { port } = settings.current.http
      if (port === known) return
      known = port
      if (port === atStart) return
      logger.warn(
        `http.port is ${port} in the settings now. It takes effect at the next start of Sluice; until then ${url} stays.`,
      )
    })
  }

  /** On a full disk continue without the file, because clients know the address. */
  const sayWhere = (url: string): void => {
    const path = join(options.dataDir, URL_FILE)
    try {
      writeFileAtomically(path, url, 0o600)
    } catch (error) {
      const { message } = explainFileFailure(error, `${path} can't be written`)
      logger.error(`${message} Sluice serves at ${url} all the same; \`sluice open\` can't find it.`)
    }
  }

  const open = async ({ port }: ListenOptions = {}): Promise<Listening> => {
    const { maxMessageBytes } = settings.current.limits
    // Socket first: it fails if another engine uses this data folder.
    const local = await listenLocalSocket({ ...options, openSession, logger, maxMessageBytes })
    socket = local
    const server = await startHttpServer({
      port: port ?? settings.current.http.port,
      token: await readAccessToken(options.dataDir),
      openSession,
      logger,
      maxMessageBytes,
      parseLarge: options.parseLarge,
      // One whose settings are wrong has somebody to say so: its session.
      serverExists: (serverId) =>
        Object.hasOwn(settings.current.servers, serverId) || settings.faultOf(serverId) !== undefined,
    }).catch(async (error: unknown) => {
      // Release the socket for another attempt.
      socket = undefined
      await local.close()
      throw error
    })
    http = server
    const newBrowserLink = options.mountScreens(server)
    sayWhere(server.url)
    // A port from the command line overrides later file changes.
    if (port === undefined) followPort(server.url)
    return { url: server.url, socketPath: local.path, newBrowserLink }
  }

  return {
    open,
    close: async () => {
      stopFollowing()
      if (http) rmSync(join(options.dataDir, URL_FILE), { force: true })
      await Promise.all([http?.close(), socket?.close()])
    },
  }
}
