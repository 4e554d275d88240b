/** The inside of a JSON string, between its quotes, in memory that every thread reads: UTF-8, escapes and all. */
export type JsonInside = Uint8Array<SharedArrayBuffer>

interface Held {
  readonly text: string
  readonly inside: JsonInside
  usedAt: number
}

/** A result goes on within moments of its coming, and is held for so long after it was last asked for. */
const HELD_MS = 2_000
const MOST_HELD = 4

/**
 * How long texts were written in the JSON in which they came. A text that goes on as it came need not be escaped again,
 * which takes a third as long as everything else that happens to a result of 8 MB.
 */
export class TextsAsTheyCame {
  readonly #held: Held[] = []
  #isWaiting = false

  /** `inside` must be what JSON.parse made `text` of. */
  hold(text: string, inside: JsonInside): void {
    this.#held.push({ text, inside, usedAt: performance.now() })
    if (this.#held.length > MOST_HELD) this.#held.shift()
    if (!this.#isWaiting) this.#letGoLater()
  }

  /** Undefined for a text that came otherwise, or long ago. */
  insideOf(text: string): JsonInside | undefined {
    const known = this.#held.find((held) => held.text === text)
    if (known) known.usedAt = performance.now()
    return known?.inside
  }

  #letGoLater(): void {
    this.#isWaiting = true
    setTimeout(() => {
      const since = performance.now() - HELD_MS
      const kept = this.#held.filter(({ usedAt }) => usedAt > since)
      this.#held.splice(0, Infinity, ...kept)
      if (kept.length > 0) this.#letGoLater()
      else this.#isWaiting = false
    }, HELD_MS).unref()
  }
}

/** One for each thread, since texts are the same wherever they go, and are forgotten by themselves. */
export const textsAsTheyCame = new TextsAsTheyCame()
