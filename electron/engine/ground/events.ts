import type { Logger } from './logger.ts'
import { messageOf } from './errors.ts'

/**
 * For screens, tray and tests. Times are Unix milliseconds. Features declare their events beside the emitting code
 * (`declare module`).
 * @public
 */
export interface EngineEvents {
  /** `project`: the client's folder. */
  'session-opened': { sessionId: string; client: string; project?: string | undefined }
  'session-closed': { sessionId: string; client: string }
  /** Ended unexpectedly and was restarted. */
  'part-restarted': { part: string; why: string }
}

type EventName = keyof EngineEvents

export interface Events {
  /** Returns the stop. */
  on<Name extends EventName>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void
  /** Whichever of these happens. Returns the stop. */
  onAny(names: readonly EventName[], listener: () => void): () => void
  /** In subscription order. Logs listeners' errors. */
  emit<Name extends EventName>(name: Name, event: EngineEvents[Name]): void
}

export function createEvents(logger: Logger): Events {
  const listeners = new Map<EventName, Set<(event: never) => void>>()
  const on: Events['on'] = (name, listener) => {
    const known = listeners.get(name) ?? new Set()
    listeners.set(name, known)
    // So that a function subscribed twice is called and removed separately.
    const own = (event: never): void => listener(event)
    known.add(own)
    return () => known.delete(own)
  }
  return {
    on,
    onAny: (names, listener) => {
      const stops = names.map((name) => on(name, listener))
      return () => stops.forEach((stop) => stop())
    },
    emit: (name, event) => {
      for (const listener of listeners.get(name) ?? []) {
        try {
          // `on` guarantees matching key and listener.
          listener(event as never)
        } catch (error) {
          logger.error(`A listener of the event ${name} failed.`, { cause: messageOf(error) })
        }
      }
    },
  }
}
