import { normalize } from 'node:path'
import type { Conversation } from './conversation.ts'

/** Of one conversation. */
export const MOST_PROMPTS = 3
const MOST_CONVERSATIONS = 200
const MOST_AGENTS = 100
const MOST_TOOL_USES = 2_000
/** Characters of a prompt: its start and its end. */
const MOST_OF_ONE = 8_000
/** Without an event for so long, another conversation in the folder is the one that calls. */
const LIVELY_MS = 30 * 60_000
const FORGOTTEN_MS = 12 * 3600_000

export interface Known extends Conversation {
  prompts: string[]
  isTranscriptRead?: boolean
  /** Tasks of the sub-agents that work now. */
  readonly agents: Map<string, string | undefined>
  /** How often what is in the context may have changed. */
  contextChanges: number
  /** Monotonic milliseconds of its last event. */
  at: number
}

interface ToolUse {
  readonly known: Known
  /** Empty in the main context. */
  readonly agentId: string
}

/** In memory only. */
export class ConversationMemory {
  readonly #clock: () => number
  readonly #known = new Map<string, Known>()
  /** By the id of a tool use. */
  readonly #toolUses = new Map<string, ToolUse>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  find({ app, id }: Pick<Conversation, 'app' | 'id'>): Known | undefined {
    return this.#known.get(keyOf(app, id))
  }

  /** Created if unknown; counts as an event of it. */
  touch(conversation: Conversation): Known {
    const { app, id, folder, transcript } = conversation
    const key = keyOf(app, id)
    const at = this.#clock()
    const known = this.#known.get(key)
    const next: Known = Object.assign(
      known ?? { app, id, prompts: [], agents: new Map<string, string | undefined>(), contextChanges: 0, at },
      {
        at,
        ...(folder === undefined ? {} : { folder }),
        ...(transcript === undefined ? {} : { transcript }),
      },
    )
    // The latest used is the last.
    this.#known.delete(key)
    this.#known.set(key, next)
    for (const [old, { at: last }] of this.#known) {
      if (this.#known.size <= MOST_CONVERSATIONS && at - last < FORGOTTEN_MS) break
      this.#known.delete(old)
    }
    return next
  }

  prompted(conversation: Conversation, prompt: string): void {
    const known = this.touch(conversation)
    known.prompts = [...known.prompts, bounded(prompt)].slice(-MOST_PROMPTS)
  }

  agentStarted(conversation: Conversation, agentId: string, task: string | undefined): void {
    const { agents } = this.touch(conversation)
    agents.set(agentId, task === undefined ? agents.get(agentId) : bounded(task))
    const [oldest] = agents.keys()
    if (agents.size > MOST_AGENTS && oldest !== undefined) agents.delete(oldest)
  }

  toolUsed(conversation: Conversation, toolUseId: string, agentId: string | undefined): void {
    this.#toolUses.set(toolUseId, { known: this.touch(conversation), agentId: agentId ?? '' })
    const [oldest] = this.#toolUses.keys()
    if (this.#toolUses.size > MOST_TOOL_USES && oldest !== undefined) this.#toolUses.delete(oldest)
  }

  ofToolUse(toolUseId: string): ToolUse | undefined {
    const use = this.#toolUses.get(toolUseId)
    return use && this.find(use.known) === use.known ? use : undefined
  }

  /** Of this app in this folder, the latest last. */
  /** Of apps that tell no folder, all. */
  inFolder(app: string, folder: string): Known[] {
    return [...this.#known.values()].filter(
      (known) => known.app === app && (known.folder === undefined || sameFolder(known.folder, folder)),
    )
  }

  /** Had an event in the last half hour. */
  isLively({ at }: Known): boolean {
    return this.#clock() - at < LIVELY_MS
  }

  forget({ app, id }: Conversation): void {
    this.#known.delete(keyOf(app, id))
  }

  forgetPrompts(): void {
    for (const known of this.#known.values()) {
      known.prompts = []
      for (const agentId of known.agents.keys()) known.agents.set(agentId, undefined)
    }
  }
}

const sameFolder = (one: string | undefined, other: string): boolean =>
  one !== undefined && bare(one) === bare(other)

const bare = (folder: string): string => normalize(folder).replace(/(?<=.)[/\\]$/, '')

const keyOf = (app: string, id: string): string => `${app}\n${id}`

const bounded = (text: string): string =>
  text.length <= MOST_OF_ONE ? text : `${text.slice(0, MOST_OF_ONE / 2)}\n${text.slice(-MOST_OF_ONE / 2)}`
