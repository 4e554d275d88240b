import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readAccessToken } from './transports/access-token.ts'
import type { OpenSession } from './transports/client-session.ts'
import { createHookEndpoint, HOOK_PATH, type AnswerHook } from './transports/hook-http.ts'
import { startHttpServer, type HttpServer } from './transports/http-server.ts'
import { listenLocalSocket, type LocalSocket } from './transports/local-socket.ts'
import { explainFileFailure } from '../ground/files/explain-file-failure.ts'
import type { RootLogger } from '../ground/logger.ts'
import type { Surroundings } from '../ground/surroundings.ts'
import { noProfile } from '../settings/profiles.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { ParseLarge } from '../work/large-messages.ts'
import { writeFileAtomically } from '../ground/files/write-file-atomically.ts'

export const URL_FILE = 'engine.url'
export const NEW_LINK_PATH = '/new-link'

export interface ListenOptions {
  /** Overrides `http.port`; 0 takes any free port. */
  readonly port?: number
}

export interface Listening {
  readonly url: string
  readonly socketPath: string
  /** Single-use link. */
  newBrowserLink(): string
}

export interface ListenersOptions extends Surroundings {
  readonly dataDir: string
  readonly logger: RootLogger
  readonly settings: SettingsStore
  readonly openSession: OpenSession
  readonly answerHook: AnswerHook
  /** Returns the maker of single-use links. */
  readonly mountScreens: (server: HttpServer) => () => string
  readonly parseLarge?: ParseLarge
}

/** An engine in the background: for `sluice connect` only. */
export interface ListeningQuietly {
  /** Resolves when its last client has left, or went to the engine that took its place. */
  readonly over: Promise<void>
}

export interface Listeners {
  open(options?: ListenOptions): Promise<Listening>
  openQuietly(idleMs: number): Promise<ListeningQuietly>
  close(): Promise<void>
}

/** Warns of a changed `http.port`: a listening server keeps its port, because clients know the address. Returns the stop. */
function followPort({ settings, logger }: ListenersOptions, url: string): () => void {
  const atStart = settings.current.http.port
  let known = atStart
  return settings.onChange(() => {
    const { port } = settings.current.http
    if (port === known) return
    known = port
    if (port === atStart) return
    logger.warn(
      `http.port is ${port} in the settings now. It takes effect at the next start of Sluice; until then ${url} stays.`,
    )
  })
}

/** On a full disk continues without the file: clients know the address. */
function writeUrl({ dataDir, logger }: ListenersOptions, url: string): void {
  const path = join(dataDir, URL_FILE)
  try {
    writeFileAtomically(path, url, 0o600)
  } catch (error) {
    const { message } = explainFileFailure(error, `${path} can't be written`)
    logger.error(`${message} Sluice serves at ${url} all the same; \`sluice open\` can't find it.`)
  }
}

/** Local socket for `sluice connect`, loopback HTTP for clients and screens. */
export function createListeners(options: ListenersOptions): Listeners {
  const { logger, openSession, settings } = options
  let socket: LocalSocket | undefined
  let http: HttpServer | undefined
  let stopFollowing = (): void => {}

  const whyNoProfile = (name: string): string | undefined =>
    Object.hasOwn(settings.current.profiles, name) ? undefined : noProfile(settings.current, name)

  const openSocket = async (idleMs?: number): Promise<LocalSocket> => {
    const { maxMessageBytes } = settings.current.limits
    const reach = { openSession, whyNoProfile }
    socket = await listenLocalSocket({ ...options, ...reach, logger, maxMessageBytes, idleMs })
    return socket
  }

  const open = async ({ port }: ListenOptions = {}): Promise<Listening> => {
    const { maxMessageBytes } = settings.current.limits
    // Socket first: it fails if another engine uses this data folder.
    const local = await openSocket()
    const token = await readAccessToken(options.dataDir)
    const server = await startHttpServer({
      port: port ?? settings.current.http.port,
      token,
      openSession,
      logger,
      maxMessageBytes,
      parseLarge: options.parseLarge,
      whyNoProfile,
      // With invalid settings, too: the session reports them.
      serverExists: (serverId) =>
        Object.hasOwn(settings.current.servers, serverId) || settings.faultOf(serverId) !== undefined,
    }).catch(async (error: unknown) => {
      socket = undefined
      await local.close()
      throw error
    })
    http = server
    const { answerHook: answer, parseLarge } = options
    server.mount(HOOK_PATH, createHookEndpoint({ answer, token, trust: server.trust, parseLarge }), 'own')
    const newBrowserLink = options.mountScreens(server)
    writeUrl(options, server.url)
    // A port from the command line overrides config changes.
    if (port === undefined) stopFollowing = followPort(options, server.url)
    return { url: server.url, socketPath: local.path, newBrowserLink }
  }

  return {
    open,
    openQuietly: openSocket,
    close: async () => {
      stopFollowing()
      if (http) rmSync(join(options.dataDir, URL_FILE), { force: true })
      await Promise.all([http?.close(), socket?.close()])
    },
  }
}
