import { fileURLToPath } from 'node:url'
import type { Settings } from '../../../shared/settings.ts'
import type { Events } from '../ground/events.ts'
import type { ToolCall, ToolOutcome } from '../message/call.ts'
import type { Layer } from '../message/layers.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { ConversationMemory, MOST_PROMPTS, type Known } from './conversation-memory.ts'
import type { Conversations } from './conversation.ts'
import { createFindConversation, type Found } from './find-conversation.ts'
import { goalOfPrompts } from './goal-of-prompts.ts'
import { lastPromptsIn } from './transcript-tail.ts'

export type { Conversation, Conversations } from './conversation.ts'

/** Their hooks, as Sluice sets them up, tell when results leave a context. */
const TELL_COMPACTION: ReadonlySet<string> = new Set(['claude-code', 'codex'])

/** The main context, or one of the sub-agents that work now. */
const UNKNOWN_AGENT = 'unknown'

/** What users ask of their apps, so that results are shortened for it from the first call. */
export function createGoals(options: {
  readonly settings: { readonly current: Pick<Settings, 'goals'> }
  readonly events: Pick<Events, 'on' | 'emit'>
  /** Monotonic milliseconds. */
  readonly clock: () => number
}) {
  const { settings, events, clock } = options
  const memory = new ConversationMemory(clock)
  const finder = createFindConversation(memory)
  const isOn = (): boolean => settings.current.goals.fromPrompts
  events.on('session-closed', ({ sessionId }) => finder.endSession(sessionId))
  events.on('settings-changed', () => {
    if (!isOn()) memory.forgetPrompts()
  })

  const conversations: Conversations = {
    prompted: (conversation, prompt) => {
      const known = memory.touch(conversation)
      known.contextChanges++
      if (isOn()) memory.prompted(known, prompt)
    },
    agentStarted: (conversation, agentId, task) =>
      memory.agentStarted(conversation, agentId, isOn() ? task : undefined),
    agentEnded: (conversation, agentId) => void memory.touch(conversation).agents.delete(agentId),
    compacted: (conversation) => void memory.touch(conversation).contextChanges++,
    ended: (conversation) => memory.forget(conversation),
    toolUsed: (conversation, toolUseId, agentId) => memory.toolUsed(conversation, toolUseId, agentId),
    goalOf: async (conversation, { agentId, words } = {}) => {
      if (!isOn()) return words
      const known = memory.touch(conversation)
      await readMissing(known)
      const task = agentId === undefined ? undefined : known.agents.get(agentId)
      return goalOfPrompts({ prompts: known.prompts, task, words })
    },
  }

  /** After a restart: once, for what no event told since. */
  const readMissing = async (known: Known): Promise<void> => {
    const { app, transcript } = known
    if (known.prompts.length > 0 || transcript === undefined || known.isTranscriptRead) return
    known.isTranscriptRead = true
    const prompts = await lastPromptsIn(transcript, app, MOST_PROMPTS)
    if (known.prompts.length === 0 && isOn()) known.prompts = prompts
  }

  /** A sub-agent that works alone has the turn; of several nothing is told. */
  const goalFor = ({ conversation: { prompts, agents }, agentId }: Found): string | undefined => {
    const [task, ...others] = agents.values()
    const only = others.length === 0 ? task : undefined
    return goalOfPrompts({ prompts, task: agentId === undefined ? only : agents.get(agentId) })
  }

  /** Calls of a known conversation get the user's request as their goal, beside what their arguments look for. */
  const addGoal: Layer = {
    call: (next) => {
      const withGoal = async (call: ToolCall, found: Found): Promise<ToolOutcome> => {
        await readMissing(found.conversation)
        const request = goalFor(found)
        return next(request === undefined ? call : { ...call, request })
      }
      return function addGoal(call) {
        const found = isOn() ? finder.find(call) : undefined
        return found ? withGoal(call, found) : next(call)
      }
    },
    question: (next) => async (question) => {
      const answer = await next(question)
      const folder = question.method === 'roots/list' ? onlyRoot(answer) : undefined
      if (folder !== undefined) finder.worksIn(question.origin.sessionId, folder)
      return answer
    },
  }

  /**
   * Names the context that a call belongs to, up to its last prompt: the user may have gone back to an earlier one, which
   * no app tells. Undefined where it may be another one, or the app doesn't tell what leaves it.
   */
  const contextOf = (call: ToolCall): string | undefined => {
    const found = finder.find(call)
    if (!found?.isCertain || !TELL_COMPACTION.has(found.conversation.app)) return undefined
    const { conversation, agentId } = found
    const { app, id, agents, contextChanges } = conversation
    // Of several contexts a tool use alone tells which.
    if (agentId === undefined && agents.size > 0) return undefined
    return JSON.stringify([app, id, agentId ?? '', contextChanges])
  }

  /**
   * Names the ledger's context of a call where the conversation is known for sure, and tells whose turns count for it.
   * A sub-agent has a context of its own; where several may call, the call's one has no known turns.
   */
  const agentOf = (call: ToolCall): string | undefined => {
    const found = finder.find(call)
    if (!found?.isCertain) return undefined
    const { conversation, agentId } = found
    const { app, id, agents, folder, transcript } = conversation
    const agent = agentId ?? (agents.size > 0 ? UNKNOWN_AGENT : '')
    const session = agent === '' ? call.sessionId : `${id}/${agent}`
    const of = { session, client: call.clientName, app, conversation: id, agent, transcript, folder }
    events.emit('context-told', of)
    return session
  }

  return { addGoal, conversations, contextOf, agentOf }
}

function onlyRoot({ roots }: JsonObject): string | undefined {
  const [root, ...others] = Array.isArray(roots) ? (roots as unknown[]) : []
  const uri = isJsonObject(root) && others.length === 0 ? root['uri'] : undefined
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}
