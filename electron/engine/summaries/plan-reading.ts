import type { ModelCapacity, ReadingTimes } from '../models/text-model.ts'

export interface ReadingPlan {
  /** The model's tokens of document in one question. */
  readonly promptTokens: number
  /** The model's tokens of one answer, notes on a part included. */
  readonly outputTokens: number
  /** Above 1: each part has a question of its own, and one more puts their answers together. */
  readonly parts: number
}

export interface ReadingWish extends ReadingTimes {
  readonly capacity: ModelCapacity
  /** The whole document and the answer that is wanted, in the model's tokens. */
  readonly documentTokens: number
  readonly outputTokens: number
  /** What stands around the document in each question. */
  readonly aroundTokens: number
  readonly withinMs: number
  /** 1 or less: a share of what the speeds promise, after the model was late. */
  readonly pace: number
}

/** Until a first answer tells more: a small model on an old laptop, and what servers give a model if nobody says. */
const ASSUMED = { promptTokensPerSecond: 300, outputTokensPerSecond: 15, contextTokens: 4096 }
/** The rest of the time goes to what stands around the model. */
const SHARE_OF_TIME = 0.8
/** Writing takes no more than this share of the model's time: an answer to a text that was hardly read is worth nothing. */
const SHARE_FOR_WRITING = 0.5
/** Less than this is no summary, and no text that needs one. */
const LEAST_OUTPUT = 30
const LEAST_PROMPT = 150
const MOST_PARTS = 6

/** How much of a document the model can read, and write, in the time there is; or why it is not worth a try. */
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

  /** As many parts as the window asks for and the time allows, together with the question that joins their answers. */
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
