import type { ToolCall } from '../message/call.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { CacheStore } from './cache-store.ts'

/** One call on its way. */
interface Course {
  /** Whether nothing happened since it began after which its result might be another. */
  readonly isUnchanged: () => boolean
  readonly end: () => void
}

/** After what a server's earlier results may no longer hold. */
export interface Changes {
  /** Makes a call that may write: results of its server are forgotten before it and after it. */
  readonly around: <T>(call: ToolCall, write: () => Promise<T>) => Promise<T>
  /** The server said that something of it has changed, it ended, or it was started anew. */
  readonly serverChanged: (serverId: string) => void
  /** The server asked the client something: what it answers is an answer to that, too. */
  readonly asked: (sessionId: string, serverId: string) => void
  /**
   * Which state of a server's process a session may be in: everybody's, until the session made a call that may write.
   * From then on its results are its own.
   */
  readonly stateOf: (call: Pick<ToolCall, 'sessionId' | 'serverId'>) => string
  readonly begin: (call: ToolCall) => Course
  /** Whether results of the server could not be forgotten when they should have been: then none is used. */
  readonly isUncertain: (serverId: string) => boolean
  readonly onChange: (listener: (serverId: string) => void) => void
  readonly endSession: (sessionId: string) => void
}

export function createChanges({ store, logger }: { store: CacheStore; logger: Logger }): Changes {
  /** Writes by session, then by server. */
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
