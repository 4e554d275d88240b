import type { Logger } from './logger.ts'
import { messageOf } from './errors.ts'

/**
 * For screens, tray and tests. Times are Unix milliseconds. A feature declares its events beside the code that emits
 * them (`declare module`).
 *
 * @public
 */
export interface EngineEvents {
  'session-opened': { sessionId: string; client: string }
  'session-closed': { sessionId: string; client: string }
  /** A part of the engine ended unexpectedly and was restarted. */
  'part-restarted': { part: string; why: string }
}

type EventName = keyof EngineEvents

export interface Events {
  /** Returns the stop. */
  on<Name extends EventName>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void
  /** In subscription order. Logs what a listener throws. */
  emit<Name extends EventName>(name: Name, event: EngineEvents[Name]): void
}

export function createEvents(logger: Logger): Events {
  const listeners = new Map<EventName, Set<(event: never) => void>>()
  return {
    on: (name, listener) => {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known)
      // So that a function subscribed twice is called and removed separately.
      const own = (event: never): void => listener(event)
      known.add(own)
      return () => known.delete(own)
    },
    emit: (name, event) => {
      for (const listener of listeners.get(name) ?? []) {
        try {
          // `on` guarantees that key and listener match.
          listener(event as never)
        } catch (error) {
          logger.error(`A listener of the event ${name} failed.`, { cause: messageOf(error) })
        }
      }
    },
  }
}
