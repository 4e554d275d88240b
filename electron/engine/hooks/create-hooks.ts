import { assertNever, messageOf } from '../ground/errors.ts'
import type { Conversation } from '../goals/create-goals.ts'
import { createIds } from '../ground/ids.ts'
import type { Reader } from '../message/call.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { appOf, namesFile } from '../settings/known-apps.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import { hookApps } from './hook-apps.ts'
import { contextName, type HookEvent, type Speaker } from './hook-event.ts'
import { createDelivery, type ToolState } from './delivery.ts'
import type { HooksOptions } from './hooks-options.ts'
import { createGivenAnswers } from './given-answers.ts'
import { createKeepReady } from './keep-ready.ts'
import { treatOutput } from './treat-output.ts'

export interface Hooks {
  /** Never rejects. `{}`: the app goes on as without Sluice. */
  answer(app: string, event: string, payload: unknown): Promise<JsonObject>
  /** Of built-in tools that were answered. */
  states(): readonly ToolState[]
  /** After drops in a row. */
  switchOn(app: string, tool: string): void
  /** Apps can send events from now on. */
  opened(): void
  close(): void
}

const conversationOf = (app: string, { session, folder, transcript }: Speaker): Conversation => ({
  app: appOf(app) ?? app,
  id: session,
  folder,
  transcript,
})

/** Apps go on by themselves after 2 s. */
const ANSWER_MS = 1_500
const MOST_SESSIONS = 5_000

/** The door for AI apps' hooks. All of it fails open: an app without Sluice works on. */
export function createHooks(options: HooksOptions): Hooks {
  const { logger, events, conversations, hookAnswerMs: answerMs = ANSWER_MS } = options
  const newId = createIds(options.now)
  const delivery = createDelivery(options)
  const given = createGivenAnswers()
  const ready = createKeepReady(options)
  const parts = {
    ...options,
    newId,
    delivery,
    answerMs,
    used: new Map<string, Set<Reader>>(),
    countTokens: countTokensOf(options.workers),
    readsFiles: (client: string) => namesFile(options.settings.current.results.pathInHeader, client),
  }

  const opened = new Set<string>()
  /** With the first output; a budget of a folder concerns it. */
  const openOnce = (client: string, { session, folder }: Speaker): void => {
    const key = `${client}\n${session}`
    if (opened.has(key)) return
    if (opened.size >= MOST_SESSIONS) opened.clear()
    opened.add(key)
    events.emit('session-opened', { sessionId: session, client, project: folder })
  }
  const tellContext = (client: string, event: Speaker): void => {
    const { session: conversation, transcript, folder, agent } = event
    const session = contextName(event)
    const of = { session, client, app: client, conversation, agent: agent?.id ?? '', transcript, folder }
    events.emit('context-told', of)
  }
  const tellTurns = (app: string, { session, transcript }: Speaker, isEnd = false): void =>
    events.emit('turns-made', { app, conversation: session, transcript, isEnd })
  const onEvent = async (app: string, event: HookEvent): Promise<JsonObject> => {
    const conversation = conversationOf(app, event)
    switch (event.kind) {
      case 'prompt':
        tellTurns(app, event)
        conversations.prompted(conversation, event.prompt)
        return {}
      case 'turn-ended':
        tellTurns(app, event)
        return {}
      case 'agent-started':
        conversations.agentStarted(conversation, event.agentId, event.task)
        return {}
      case 'agent-ended':
        tellTurns(app, event)
        conversations.agentEnded(conversation, event.agentId)
        return {}
      case 'tool-used':
        conversations.toolUsed(conversation, event.callId, event.agent?.id)
        return {}
      case 'compacted':
        tellTurns(app, event)
        conversations.compacted(conversation)
        return {}
      case 'ended':
        tellTurns(app, event, true)
        conversations.ended(conversation)
        opened.delete(`${app}\n${event.session}`)
        events.emit('session-closed', { sessionId: event.session, client: app })
        ready.ended(event.session)
        return {}
      case 'delivered':
        delivery.seen(app, event)
        return {}
      case 'output': {
        openOnce(app, event)
        tellContext(app, event)
        const key = `${app}\n${event.session}\n${event.callId}`
        return given.once(key, () => treatOutput(parts, { app, event, conversation }))
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
        ready.used(event.session)
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
    switchOn: (app, tool) => delivery.switchOn(app, tool),
    opened: () => {
      if (options.hasHooks()) ready.opened()
    },
    close: ready.stop,
  }
}
