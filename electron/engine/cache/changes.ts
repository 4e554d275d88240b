import type { ToolCall } from '../message/call.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { CacheStore } from './cache-store.ts'

interface Course {
  readonly isUnchanged: () => boolean
  readonly end: () => void
}

export interface Changes {
  /** For calls that may write: outdates the server's results before and after. */
  readonly around: <T>(call: ToolCall, write: () => Promise<T>) => Promise<T>
  /** Reported a change, ended or restarted. */
  readonly serverChanged: (serverId: string) => void
  /** A server request to the client: the result depends on that answer, too. */
  readonly asked: (sessionId: string, serverId: string) => void
  /** Server state visible to a session: shared until the session makes a call that may write, then its own. */
  readonly stateOf: (call: Pick<ToolCall, 'sessionId' | 'serverId'>) => string
  readonly begin: (call: ToolCall) => Course
  readonly isUncertain: (serverId: string) => boolean
  readonly onChange: (listener: (serverId: string) => void) => void
  readonly endSession: (sessionId: string) => void
}

export function createChanges({ store, logger }: { store: CacheStore; logger: Logger }): Changes {
  /** By session, then server. */
  const writes = new Map<string, Map<string, number>>()
  const uncertain = new Set<string>()
  const courses = new Set<{ readonly call: ToolCall; isUnchanged: boolean }>()
  const listeners: ((serverId: string) => void)[] = []

  const touch = (isMeant: (call: ToolCall) => boolean): void => {
    for (const course of courses) if (isMeant(course.call)) course.isUnchanged = false
  }
  const serverChanged = (serverId: string): void => {
    touch((call) => call.serverId === serverId)
    for (const listener of listeners) listener(serverId)
    try {
      store.outdate(serverId)
      uncertain.delete(serverId)
    } catch (error) {
      uncertain.add(serverId)
      logger.warn('Old results could not be taken out of the cache, so none of this server is used.', {
        server: serverId,
        cause: messageOf(error),
      })
    }
  }
  return {
    around: async ({ sessionId, serverId }, write) => {
      const servers = writes.get(sessionId) ?? new Map<string, number>()
      writes.set(sessionId, servers)
      servers.set(serverId, (servers.get(serverId) ?? 0) + 1)
      serverChanged(serverId)
      try {
        return await write()
      } finally {
        serverChanged(serverId)
      }
    },
    serverChanged,
    asked: (sessionId, serverId) =>
      touch((call) => call.sessionId === sessionId && call.serverId === serverId),
    stateOf: ({ sessionId, serverId }) => {
      const count = writes.get(sessionId)?.get(serverId)
      return count === undefined ? '' : `${sessionId} ${count}`
    },
    begin: (call) => {
      const course = { call, isUnchanged: true }
      courses.add(course)
      return { isUnchanged: () => course.isUnchanged, end: () => courses.delete(course) }
    },
    isUncertain: (serverId) => uncertain.has(serverId),
    onChange: (listener) => void listeners.push(listener),
    endSession: (sessionId) => void writes.delete(sessionId),
  }
}
