import { assertNever, messageOf } from '../ground/errors.ts'
import { createIds } from '../ground/ids.ts'
import type { Reader } from '../message/call.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { namesFile } from '../settings/known-apps.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import { hookApps } from './hook-apps.ts'
import type { HookEvent } from './hook-event.ts'
import { createDelivery, type ToolState } from './delivery.ts'
import type { GoalsOfApps, HooksOptions } from './hooks-options.ts'
import { createGivenAnswers } from './given-answers.ts'
import { createKeepReady } from './keep-ready.ts'
import { treatOutput } from './treat-output.ts'

const NO_GOALS: GoalsOfApps = {
  rememberPrompt: () => {},
  goalFor: () => undefined,
  compacted: () => {},
  ended: () => {},
}

export interface Hooks {
  /** Never rejects. `{}`: the app goes on as without Sluice. */
  answer(app: string, event: string, payload: unknown): Promise<JsonObject>
  /** Of built-in tools that were answered. */
  states(): readonly ToolState[]
  close(): void
}

/** An app waits for the answer. */
const ANSWER_MS = 250

/** The door for AI apps' hooks. All of it fails open: an app without Sluice works on. */
export function createHooks(options: HooksOptions): Hooks {
  const { logger, events, goals = NO_GOALS, hookAnswerMs: answerMs = ANSWER_MS } = options
  const newId = createIds()
  const delivery = createDelivery(options)
  const given = createGivenAnswers()
  const ready = createKeepReady(options.workers)
  const parts = {
    ...options,
    newId,
    delivery,
    answerMs,
    used: new Map<string, Set<Reader>>(),
    countTokens: countTokensOf(options.workers),
    readsFiles: (client: string) => namesFile(options.settings.current.results.pathInHeader, client),
  }

  const onEvent = async (app: string, event: HookEvent): Promise<JsonObject> => {
    switch (event.kind) {
      case 'prompt':
        goals.rememberPrompt({ ...event, app })
        return {}
      case 'compacted':
        goals.compacted({ ...event, app })
        return {}
      case 'ended':
        goals.ended({ ...event, app })
        events.emit('session-closed', { sessionId: event.session, client: app })
        return {}
      case 'delivered':
        delivery.seen(app, event)
        return {}
      case 'output': {
        const goal = goals.goalFor({ ...event, app })
        const key = `${app}\n${event.session}\n${event.callId}`
        return given.once(key, () => treatOutput(parts, { app, event, goal }))
      }
      default:
        return assertNever(event)
    }
  }

  return {
    answer: async (appId, name, payload) => {
      const app = hookApps.get(appId)
      try {
        const event = app && isJsonObject(payload) ? app.read(name, payload) : undefined
        if (!app || !event) return {}
        ready.used()
        return await onEvent(app.id, event)
      } catch (error) {
        logger.warn("an app's own tool goes on without Sluice", {
          app: appId,
          event: name,
          cause: messageOf(error),
        })
        return {}
      }
    },
    states: () => delivery.states(),
    close: ready.stop,
  }
}
