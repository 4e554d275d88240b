import type { ModelCapacity, ReadingTimes } from '../models/text-model.ts'

export interface ReadingPlan {
  /** Of the document, per request. */
  readonly promptTokens: number
  readonly outputTokens: number
  /** Above 1: a request per part, plus one that combines the answers. */
  readonly parts: number
}

export interface ReadingWish extends ReadingTimes {
  readonly capacity: ModelCapacity
  readonly documentTokens: number
  readonly outputTokens: number
  /** Around the document in each request. */
  readonly aroundTokens: number
  readonly withinMs: number
  /** At most 1: share of the promised speed, reduced after timeouts. */
  readonly pace: number
}

/** Before the first answer: a small model on an old laptop, with a server's default context. */
const ASSUMED = { promptTokensPerSecond: 300, outputTokensPerSecond: 15, contextTokens: 4096 }
/** The rest is for work around the model. */
const SHARE_OF_TIME = 0.8
/** An answer to a text hardly read is worthless. */
const SHARE_FOR_WRITING = 0.5
/** For a useful summary and prompt. */
const LEAST_OUTPUT = 30
const LEAST_PROMPT = 150
const MOST_PARTS = 6

export function planReading(wish: ReadingWish): ReadingPlan | { readonly reason: string } {
  const { aroundTokens: around, documentTokens } = wish
  const known = definedOf(wish.capacity)
  const capacity = { ...ASSUMED, charactersPerToken: undefined, readsHalfAsFastAt: undefined, ...known }
  const withinMs = wish.withinMs * SHARE_OF_TIME
  const writable = Math.floor((withinMs / 1000) * SHARE_FOR_WRITING * capacity.outputTokensPerSecond)
  const outputTokens = Math.min(wish.outputTokens, writable)
  if (outputTokens < Math.min(LEAST_OUTPUT, wish.outputTokens)) {
    return {
      reason: `it writes ${round(capacity.outputTokensPerSecond)} tokens a second, too few for the time limit`,
    }
  }
  const reach = wish.longestPrompt(capacity, { outputTokens, withinMs }) ?? 0
  const inTime =
    wish.longestPrompt({ ...capacity, contextTokens: undefined }, { outputTokens, withinMs }) ?? 0
  const window = capacity.contextTokens - outputTokens - around
  const readable = reach - around
  if (readable < LEAST_PROMPT) {
    return {
      reason:
        window < LEAST_PROMPT
          ? `its window of ${capacity.contextTokens} tokens is too small`
          : `it reads ${round(capacity.promptTokensPerSecond)} tokens a second, too few for the time limit`,
    }
  }
  const promptTokens = Math.max(LEAST_PROMPT, Math.floor(readable * wish.pace))
  const isBoundByTime = inTime - around < window
  if (documentTokens <= promptTokens || isBoundByTime || wish.pace < 1) {
    return { promptTokens: Math.min(promptTokens, documentTokens), outputTokens, parts: 1 }
  }
  return { promptTokens, outputTokens, parts: partsWithin(withinMs / 1000) }

  /** As the context needs and time allows, including the combining request. */
  function partsWithin(seconds: number): number {
    const { promptTokensPerSecond: reads, outputTokensPerSecond: writes } = capacity
    const toRead = (tokens: number): number => (tokens / reads) * wish.slowdownAt(tokens, capacity)
    const each = toRead(promptTokens + around) + outputTokens / writes
    const most = Math.min(
      MOST_PARTS,
      Math.ceil(documentTokens / promptTokens),
      Math.floor(window / outputTokens),
    )
    for (let parts = most; parts > 1; parts--) {
      const joining = toRead(parts * outputTokens + around) + outputTokens / writes
      if (parts * each + joining <= seconds) return parts
    }
    return 1
  }
}

const definedOf = (capacity: ModelCapacity): Partial<{ [Key in keyof ModelCapacity]: number }> =>
  Object.fromEntries(Object.entries(capacity).filter(([, value]) => value !== undefined))

const round = (speed: number): number => (speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed))
