import { fitTokens } from './token-counter.ts'
import type { TokenCounter } from './token-counter.ts'

/** In order, with total tokens (o200k_base). */
export interface ExploreAnswer {
  readonly texts: readonly string[]
  readonly tokens: number
}

export interface PageOptions {
  readonly body: string
  readonly offset: number
  /** For page and trailer. */
  readonly budget: number
  readonly tokens: TokenCounter
  readonly trailer: (end: number) => string
}

export function pageOf({ body, offset, budget, tokens, trailer }: PageOptions): ExploreAnswer {
  const start = Math.min(offset, body.length)
  const whole = `${body.slice(start)}\n${trailer(body.length)}`
  if (whole.length <= budget * 8) {
    const counted = tokens.count(whole)
    if (counted <= budget) return { texts: [whole], tokens: counted }
  }
  let room = budget - tokens.count(trailer(start)) - 4
  for (;;) {
    const end = breakNear(body, start, fitTokens(body, start, Math.max(1, room), tokens))
    const text = `${body.slice(start, end).trimEnd()}\n${trailer(end)}`
    const counted = tokens.count(text)
    if (counted <= budget || room <= 1) return { texts: [text], tokens: counted }
    room -= Math.max(1, counted - budget)
  }
}

/** The last line break in the final third, else the end. */
function breakNear(text: string, start: number, end: number): number {
  if (end >= text.length) return end
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1
  return lineEnd > start + ((end - start) * 2) / 3 ? lineEnd : end
}
