import type { ClientSession } from '../clients/transports/client-session.ts'
import { LATEST_LEGACY_VERSION } from '../protocol/era.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import type { ScreensOptions } from './screens-options.ts'

interface ScreensSession {
  readonly id: string
  request(method: string, params?: JsonObject, signal?: AbortSignal): Promise<JsonObject>
}

export interface ScreensSessions {
  /** Stays open for the next trial. */
  with<Result>(serverId: string, use: (session: ScreensSession) => Promise<Result>): Promise<Result>
  /** With its own process. */
  once<Result>(serverId: string, use: (session: ScreensSession) => Promise<Result>): Promise<Result>
}

const KEPT_OPEN_MS = 60_000

interface Kept {
  readonly session: ClientSession
  readonly ready: Promise<ScreensSession>
  inUse: number
  timer: NodeJS.Timeout | undefined
}

/** Ended with the engine. */
export function createScreensSessions({ openSession, version }: ScreensOptions): ScreensSessions {
  const kept = new Map<string, Kept>()
  let nextId = 1

  const open = (serverId: string): Kept => {
    const session = openSession({
      scope: { kind: 'server', serverId },
      client: { name: SCREENS_CLIENT },
      link: {
        era: 'legacy',
        notify: () => {},
        // Screens can't answer server requests during a trial.
        ask: (method) =>
          Promise.reject(new RpcError(RpcErrorCode.methodNotFound, `Sluice's screens answer no ${method}.`)),
      },
    })
    const request: ScreensSession['request'] = (method, params, signal) =>
      session.handleRequest({
        id: nextId++,
        method,
        params,
        signal: signal ?? new AbortController().signal,
        notify: () => {},
      })
    const introduce = async (): Promise<ScreensSession> => {
      await request('initialize', {
        protocolVersion: LATEST_LEGACY_VERSION,
        capabilities: {},
        clientInfo: { name: SCREENS_CLIENT, version },
      })
      session.handleNotification('notifications/initialized', undefined)
      return { id: session.id, request }
    }
    return { session, ready: introduce(), inUse: 0, timer: undefined }
  }

  return {
    once: async (serverId, use) => {
      const own = open(serverId)
      try {
        return await use(await own.ready)
      } finally {
        await own.session.close()
      }
    },
    with: async (serverId, use) => {
      const entry = kept.get(serverId) ?? open(serverId)
      kept.set(serverId, entry)
      clearTimeout(entry.timer)
      entry.inUse++
      const forget = (): Promise<void> => {
        if (kept.get(serverId) === entry) kept.delete(serverId)
        return entry.session.close()
      }
      try {
        const session = await entry.ready.catch(async (error: unknown) => {
          await forget()
          throw error
        })
        return await use(session)
      } finally {
        if (--entry.inUse === 0) entry.timer = setTimeout(() => void forget(), KEPT_OPEN_MS).unref()
      }
    },
  }
}
