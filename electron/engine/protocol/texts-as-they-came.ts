/** Without quotes: UTF-8 with escapes. */
export type JsonInside = Uint8Array<SharedArrayBuffer>

interface Held {
  readonly text: string
  readonly inside: JsonInside
  usedAt: number
}

const HELD_MS = 2_000
const MOST_HELD = 4

/** Escaping again takes a third as long as all other work on a result of 8 MB. */
export class TextsAsTheyCame {
  readonly #held: Held[] = []
  #isWaiting = false

  hold(text: string, inside: JsonInside): void {
    this.#held.push({ text, inside, usedAt: performance.now() })
    if (this.#held.length > MOST_HELD) this.#held.shift()
    if (!this.#isWaiting) this.#letGoLater()
  }

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

/** Per thread, because texts are the same everywhere and expire. */
export const textsAsTheyCame = new TextsAsTheyCame()
