import type { JsonObject } from '../protocol/json-rpc.ts'

/** Of a session, or of one of its sub-agents. */
export interface Speaker {
  readonly session: string
  readonly agent?: { readonly id: string; readonly type: string | undefined } | undefined
  /** Where the app works. */
  readonly folder?: string | undefined
  /** File with the session's messages, where the app names it. */
  readonly transcript?: string | undefined
}

/** In the ledger. A sub-agent's results enter its own context. */
export const contextName = ({ session, agent }: Speaker): string =>
  agent === undefined ? session : `${session}/${agent.id}`

interface PromptEvent extends Speaker {
  readonly kind: 'prompt'
  readonly prompt: string
}

/** A built-in tool has answered. */
export interface OutputEvent extends Speaker {
  readonly kind: 'output'
  readonly tool: string
  /** Same call, same answer. */
  readonly callId: string
  readonly input: JsonObject | undefined
  /** What the model reads, in order. */
  readonly texts: readonly string[]
  /** The app cut the first text and left all of it in this file. */
  readonly wholeFile?: string | undefined
  /** What the model would see of such a one, if not `texts`. */
  readonly preview?: string | undefined
  readonly exitCode?: number | undefined
  /** The received object with these texts, in the tool's own shape. */
  readonly answer: (texts: readonly string[]) => JsonObject
  /**
   * In place of `answer`, where the app takes a text only as the result of another call: that reads a kept one, with
   * the tool of this MCP server.
   */
  readonly answerWithKept?: (id: string, entry: string) => JsonObject
}

/** What the model sees of earlier calls. */
export interface DeliveredEvent extends Speaker {
  readonly kind: 'delivered'
  readonly calls: readonly { readonly callId: string; readonly seen: string }[]
}

interface SessionEvent extends Speaker {
  readonly kind: 'turn-ended' | 'compacted' | 'ended'
}

/** A sub-agent with a context of its own. */
interface AgentEvent extends Speaker {
  readonly kind: 'agent-started' | 'agent-ended'
  readonly agentId: string
  readonly task?: string | undefined
}

/** An MCP tool is about to be called. */
interface ToolUsedEvent extends Speaker {
  readonly kind: 'tool-used'
  readonly callId: string
}

export type HookEvent = PromptEvent | AgentEvent | ToolUsedEvent | OutputEvent | DeliveredEvent | SessionEvent

/** An app's payloads. Undefined: of no use, or of an unknown shape. */
export interface HookApp {
  readonly id: string
  readonly read: (event: string, payload: JsonObject) => HookEvent | undefined
}
