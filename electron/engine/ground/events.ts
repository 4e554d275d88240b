import type { SwitchState } from '../../../shared/api/switch.ts'
import type { Logger } from './logger.ts'
import { messageOf } from './errors.ts'
import type { AttackFound } from '../guardrails/guard.ts'
import type { SettingsDiff } from '../settings/diff-servers.ts'
import type { SettingsProblem } from '../settings/settings-problem.ts'
import type { CallRow } from '../ledger/call-row.ts'

/** What happens inside the engine, for the screens, the tray and tests. Times are Unix milliseconds. */
export interface EngineEvents {
  'call-recorded': CallRow
  'fetch-recorded': { at: number; client: string; resultId: string; tool: string; tokens: number }
  'result-stored': { resultId: string; client: string; server: string; tool: string; bytes: number }
  'server-state': {
    serverId: string
    /** The client session that the upstream process belongs to; undefined for a shared one. */
    sessionId: string | undefined
    state: 'starting' | 'ready' | 'failed' | 'stopped'
    /** Why, where the state is `failed`. */
    reason?: string
    /** Milliseconds from start to ready. */
    ms?: number
  }
  'tools-changed': { serverId: string; sessionId: string | undefined }
  /** Things of a server wait for the user's word that did not wait before. */
  'approval-needed': { serverId: string; summary: string }
  /** Somebody approved or denied, in this process or another. */
  'approvals-decided': { version: number }
  /** A detector found an attack, whatever the policy then did. */
  'attack-found': AttackFound
  /** Somebody released or deleted what was kept back, in this process. */
  'quarantine-changed': { id: string }
  /** A download went on, a model was loaded, unloaded or measured, a key was kept. */
  'models-changed': Readonly<Record<string, never>>
  'session-opened': { sessionId: string; client: string }
  'session-closed': { sessionId: string; client: string }
  /** Something of the engine's own ended by itself and was started anew. */
  'part-restarted': { part: string; why: string }
  'settings-changed': SettingsDiff
  /** Sluice, or its compression alone, went on or off. */
  'switch-changed': SwitchState
  /** The file on disk is not in effect; empty when it is again. */
  'settings-problems': { problems: readonly SettingsProblem[] }
}

export type EventName = keyof EngineEvents

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
