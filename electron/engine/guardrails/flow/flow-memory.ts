import { fingerprintsOf } from './fingerprints.ts'

export interface FlowSource {
  readonly server: string
  readonly tool: string
}

/** About 150 kB of text; the oldest are overwritten. 320 kB of memory. */
const SLOTS = 32_768
/** Characters of one text; of longer ones both ends. */
const MOST = 200_000

/** Where the texts of one client's servers came from. In memory, of bounded size. */
export class FlowMemory {
  readonly #hashes = new Float64Array(SLOTS)
  readonly #sources = new Uint16Array(SLOTS)
  readonly #known: FlowSource[] = []
  readonly #numbers = new Map<string, number>()

  remember(source: FlowSource, texts: Iterable<string>): void {
    const number = this.#numberOf(source)
    for (const text of texts)
      for (const hash of fingerprintsOf(shortened(text))) {
        const slot = hash % SLOTS
        this.#hashes[slot] = hash
        this.#sources[slot] = number
      }
  }

  /** The source, other than `server`, of most of these texts; undefined where none of them is known. */
  sourceOf(server: string, texts: Iterable<string>): FlowSource | undefined {
    const counts = new Map<FlowSource, number>()
    for (const text of texts)
      for (const hash of fingerprintsOf(shortened(text))) {
        const slot = hash % SLOTS
        const source = this.#hashes[slot] === hash ? this.#known[this.#sources[slot] ?? 0] : undefined
        if (source && source.server !== server) counts.set(source, (counts.get(source) ?? 0) + 1)
      }
    if (counts.size === 0) return undefined
    return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
  }

  /** Whether this server returned the text, or a part of it. */
  isOf(server: string, text: string): boolean {
    return fingerprintsOf(shortened(text)).some((hash) => {
      const slot = hash % SLOTS
      return this.#hashes[slot] === hash && this.#known[this.#sources[slot] ?? 0]?.server === server
    })
  }

  #numberOf(source: FlowSource): number {
    const key = `${source.server} ${source.tool}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    // More tools than numbers: the last one stands for the rest.
    const number = Math.min(this.#known.length, 0xffff)
    this.#known[number] = source
    this.#numbers.set(key, number)
    return number
  }
}

const shortened = (text: string): string =>
  text.length <= MOST ? text : `${text.slice(0, MOST / 2)}${text.slice(-MOST / 2)}`
