import type { JsonObject } from '../protocol/json-rpc.ts'

/** Check the result: an endpoint may ignore it, and truncation breaks it. */
type Grammar =
  | { readonly jsonSchema: JsonObject }
  /** llama.cpp's notation; of endpoints only llama.cpp's server supports it. */
  | { readonly gbnf: string }

export interface CompletionRequest {
  readonly system: string
  readonly prompt: string
  /** The model's, not o200k. */
  readonly maxTokens: number
  readonly grammar?: Grammar | undefined
  readonly signal?: AbortSignal | undefined
  /** `call` (default): a caller waits. `background` runs after everything else. */
  readonly priority?: CompletionPriority | undefined
  /** Including queueing and loading. Default: the settings' limit. */
  readonly timeLimitMs?: number | undefined
}

export type CompletionPriority = 'call' | 'background'

export interface Completion {
  readonly text: string
  readonly promptTokens: number | undefined
  readonly outputTokens: number | undefined
  /** By maxTokens. */
  readonly isCut: boolean
  readonly ms: number
}

/** Speeds are undefined until measured on this machine. */
export interface ModelCapacity {
  /** Prompt and answer together; undefined if an endpoint doesn't report it. */
  readonly contextTokens: number | undefined
  readonly promptTokensPerSecond: number | undefined
  readonly outputTokensPerSecond: number | undefined
  /** Prompt length that takes twice as long as the speed predicts; undefined: constant speed. */
  readonly readsHalfAsFastAt?: number | undefined
  readonly charactersPerToken: number | undefined
}

export interface TextModel {
  /** Names the weights, or the endpoint and its model: part of cache keys, shown in the ledger. */
  readonly key: string
  /** Texts for a remote model are masked. A loopback address isn't remote. */
  readonly isRemote: boolean
  /**
   * Rejects with the signal's reason, MODEL_LATE (timeout), MODEL_UNAVAILABLE (not installed, too large, keeps
   * crashing, unreachable), MODEL_FAILED (invalid or truncated answer) or LIMIT_REACHED (prompt too long).
   */
  complete(request: CompletionRequest): Promise<Completion>
  /** Never starts anything. */
  capacity(): ModelCapacity
}

/** In model tokens: readable and answered with `outputTokens` within `withinMs`. Undefined: unknown. */
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

/** Solves n (1 + n / half) = tokens for n, with `tokens` at the speed of a short prompt. */
const readable = (tokens: number, half: number | undefined): number =>
  half === undefined ? tokens : (half / 2) * (Math.sqrt(1 + (4 * tokens) / half) - 1)

/** Against the short-prompt speed. */
export const slowdownAt = (
  tokens: number,
  { readsHalfAsFastAt: half }: Pick<ModelCapacity, 'readsHalfAsFastAt'>,
): number => (half === undefined ? 1 : 1 + tokens / half)

/** For planners. */
export interface ReadingTimes {
  readonly longestPrompt: typeof longestPrompt
  readonly slowdownAt: typeof slowdownAt
}

/** Servers' default. */
const ASSUMED_WINDOW = 4096

export interface MeasuredReach {
  /** The model's. */
  readonly tokens: number
  /** If the settings name none. */
  readonly assumedWindow: number | undefined
}

/** Undefined until both speeds are measured, to avoid showing guesses. */
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
