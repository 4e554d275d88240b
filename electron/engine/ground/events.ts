import type { Logger } from './logger.ts'
import { messageOf } from './errors.ts'

/**
 * What happens inside the engine, for the screens, the tray and tests. Times are Unix milliseconds. A feature declares its
 * events beside the code that emits them (`declare module`).
 *
 * @public
 */
export interface EngineEvents {
  'session-opened': { sessionId: string; client: string }
  'session-closed': { sessionId: string; client: string }
  /** Something of the engine's own ended by itself and was started anew. */
  'part-restarted': { part: string; why: string }
}

type EventName = keyof EngineEvents

export interface Events {
  /** Returns the function that ends the subscription. */
  on<Name extends EventName>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void
  /** Calls every listener now, in the order they came. A listener that throws harms nobody: it is logged. */
  emit<Name extends EventName>(name: Name, event: EngineEvents[Name]): void
}

export function createEvents(logger: Logger): Events {
  const listeners = new Map<EventName, Set<(event: never) => void>>()
  return {
    on: (name, listener) => {
      const known = listeners.get(name) ?? new Set()
      listeners.set(name, known)
      // A wrapper of its own, so that one function subscribed twice is called twice and ends twice.
      const own = (event: never): void => listener(event)
      known.add(own)
      return () => known.delete(own)
    },
    emit: (name, event) => {
      for (const listener of listeners.get(name) ?? []) {
        try {
          // The map's key and the listener's parameter belong together: `on` is the only way in.
          listener(event as never)
        } catch (error) {
          logger.error(`A listener of the event ${name} failed.`, { cause: messageOf(error) })
        }
      }
    },
  }
}
