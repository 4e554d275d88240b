import type { JsonObject } from '../protocol/json-rpc.ts'

/** Required form of the text. Check the result: an endpoint may ignore it, and truncation breaks it. */
export type Grammar =
  | { readonly jsonSchema: JsonObject }
  /** llama.cpp's own notation; of endpoints only llama.cpp's server knows it. */
  | { readonly gbnf: string }

export interface CompletionRequest {
  readonly system: string
  readonly prompt: string
  /** Tokens of the model, not of o200k. */
  readonly maxTokens: number
  readonly grammar?: Grammar | undefined
  readonly signal?: AbortSignal | undefined
  /** `call`, the default: somebody waits for it. `background` goes after everything else. */
  readonly priority?: CompletionPriority | undefined
  /** Milliseconds from now, waiting for others and loading included. Default: the settings' limit. */
  readonly timeLimitMs?: number | undefined
}

export type CompletionPriority = 'call' | 'background'

export interface Completion {
  /** Without the model's thoughts (`<think>`), trimmed. May be empty. */
  readonly text: string
  /** The model's own tokens; undefined where an endpoint does not say. */
  readonly promptTokens: number | undefined
  readonly outputTokens: number | undefined
  /** Whether it ended because of maxTokens. */
  readonly isCut: boolean
  /** Milliseconds from asking to the last token, waiting included. */
  readonly ms: number
}

/** How much a model can take. Speeds are undefined until they were measured on this machine. */
export interface ModelCapacity {
  /** Prompt and answer together; undefined where an endpoint does not say. */
  readonly contextTokens: number | undefined
  readonly promptTokensPerSecond: number | undefined
  readonly outputTokensPerSecond: number | undefined
  /** A prompt of so many tokens takes twice as long to read as that speed says; undefined: all take what it says. */
  readonly readsHalfAsFastAt?: number | undefined
  /** Of prompts so far; undefined before the first. */
  readonly charactersPerToken: number | undefined
}

/** A model that writes: the local one or an endpoint. */
export interface TextModel {
  /** Names the weights or the endpoint and its model: part of cache keys, and shown in the ledger. */
  readonly key: string
  /** Texts for a remote model are masked first. A loopback address is no remote one. */
  readonly isRemote: boolean
  /**
   * Rejects with the signal's reason, or with a SluiceError: MODEL_LATE (its time was over), MODEL_UNAVAILABLE (none is
   * installed, does not fit, keeps crashing, can't be reached), MODEL_FAILED (it answered nonsense or broke off) or
   * LIMIT_REACHED (the prompt is longer than it can take).
   */
  complete(request: CompletionRequest): Promise<Completion>
  /** Never starts anything. */
  capacity(): ModelCapacity
}

/**
 * The longest prompt, in the model's tokens, that can be read and answered with `outputTokens` within `withinMs`, by
 * measured speeds and by its window. Undefined: nothing is known yet.
 */
export function longestPrompt(
  capacity: ModelCapacity,
  { outputTokens, withinMs }: { outputTokens: number; withinMs: number },
): number | undefined {
  const { contextTokens, promptTokensPerSecond, outputTokensPerSecond } = capacity
  const byWindow = contextTokens === undefined ? undefined : contextTokens - outputTokens
  if (promptTokensPerSecond === undefined || outputTokensPerSecond === undefined) {
    return byWindow === undefined ? undefined : Math.max(0, byWindow)
  }
  const seconds = Math.max(0, withinMs / 1000 - outputTokens / outputTokensPerSecond)
  const byTime = Math.floor(readable(seconds * promptTokensPerSecond, capacity.readsHalfAsFastAt))
  return Math.max(0, Math.min(byTime, byWindow ?? byTime))
}

/** `tokens` at the speed of a short prompt: n (1 + n / half) = tokens, solved for n. */
const readable = (tokens: number, half: number | undefined): number =>
  half === undefined ? tokens : (half / 2) * (Math.sqrt(1 + (4 * tokens) / half) - 1)

/** How many times as long as at the speed of a short prompt it takes to read one of so many tokens. */
export const slowdownAt = (
  tokens: number,
  { readsHalfAsFastAt: half }: Pick<ModelCapacity, 'readsHalfAsFastAt'>,
): number => (half === undefined ? 1 : 1 + tokens / half)

/** What those who plan a question are handed of this file. */
export interface ReadingTimes {
  readonly longestPrompt: typeof longestPrompt
  readonly slowdownAt: typeof slowdownAt
}

/** What servers give a model if nobody says. */
export const ASSUMED_WINDOW = 4096

export interface MeasuredReach {
  /** The model's tokens. */
  readonly tokens: number
  /** The window that it was reckoned with, where the settings name none. */
  readonly assumedWindow: number | undefined
}

/** The same, for people: undefined until both speeds were measured, so that no figure stands for a guess. */
export function measuredReach(
  capacity: ModelCapacity,
  wanted: { outputTokens: number; withinMs: number },
): MeasuredReach | undefined {
  const { contextTokens = ASSUMED_WINDOW, promptTokensPerSecond, outputTokensPerSecond } = capacity
  if (promptTokensPerSecond === undefined || outputTokensPerSecond === undefined) return undefined
  const tokens = longestPrompt({ ...capacity, contextTokens }, wanted)
  const assumedWindow = capacity.contextTokens === undefined ? ASSUMED_WINDOW : undefined
  return tokens === undefined ? undefined : { tokens, assumedWindow }
}
