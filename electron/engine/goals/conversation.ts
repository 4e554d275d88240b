/** One session of an AI app, as its hooks name it. An app's sub-agents share it. */
export interface Conversation {
  /** Id in settings/known-apps.ts: `claude-code`, `codex` … */
  readonly app: string
  /** The app's own. */
  readonly id: string
  /** Where the app works. */
  readonly folder?: string | undefined
  /** The app's file of this session, where it names one. */
  readonly transcript?: string | undefined
}

/** What an app's hooks tell. Nothing of it is logged or written to disk; with `goals.fromPrompts` off it is dropped. */
export interface Conversations {
  /** The user's request. */
  prompted(conversation: Conversation, prompt: string): void
  /** A sub-agent has a context of its own. `task`: what it is to do, where the app tells it. */
  agentStarted(conversation: Conversation, agentId: string, task?: string): void
  agentEnded(conversation: Conversation, agentId: string): void
  /** Earlier results left the context, or may leave it now: nothing may refer to them. */
  compacted(conversation: Conversation): void
  ended(conversation: Conversation): void
  /** An MCP call of this conversation, or of its sub-agent; the same id may be in the `_meta` of that call. */
  toolUsed(conversation: Conversation, toolUseId: string, agentId?: string): void
  /**
   * For a result in this conversation: `words` of the command itself, and what the user or, inside a sub-agent, its
   * task asks for. From the transcript where no prompt was told since the engine started.
   */
  goalOf(
    conversation: Conversation,
    from?: { readonly agentId?: string | undefined; readonly words?: string | undefined },
  ): Promise<string | undefined>
}
