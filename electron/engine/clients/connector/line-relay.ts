export interface LineRelayOptions {
  /** Without line break. The same object passes without a copy. */
  readonly onLine: (line: Buffer) => Buffer | undefined
  readonly mayStream: (head: Buffer) => boolean
  readonly onStreamed?: () => void
  readonly write: (bytes: Buffer) => void
}

const LINE_FEED = 0x0a
const BREAK = Buffer.from('\n')
/** Shorter lines pass whole, so that a dying sender leaves no partial one. */
const LONG = 256_000
const HEAD = 300

export class LineRelay {
  readonly #options: LineRelayOptions
  #held: Buffer[] = []
  #bytes = 0
  #state: 'holding' | 'asked' | 'streaming' = 'holding'

  constructor(options: LineRelayOptions) {
    this.#options = options
  }

  get isInLine(): boolean {
    return this.#state === 'streaming'
  }

  /** Neighbouring lines that pass unchanged are written together: each write is a system call. */
  push(chunk: Buffer): void {
    let start = 0
    /** Up to `start` lines have passed and are not written yet. */
    let unwritten = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const line = chunk.subarray(start, end)
      const next = end + 1
      if (this.#bytes > 0 || this.#state !== 'holding') {
        this.#finish(line)
        unwritten = next
      } else {
        const passed = this.#options.onLine(line)
        if (passed !== line) {
          this.#writePart(chunk, unwritten, start)
          if (passed) this.#writeLine(passed)
          unwritten = next
        }
      }
      start = next
    }
    this.#writePart(chunk, unwritten, start)
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start))
  }

  #writePart(chunk: Buffer, from: number, to: number): void {
    if (from < to) this.#options.write(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to))
  }

  #writeLine(line: Buffer): void {
    this.#options.write(Buffer.concat([line, BREAK]))
  }

  end(): void {
    if (this.#bytes > 0) this.#finish(Buffer.alloc(0))
  }

  #hold(piece: Buffer): void {
    if (this.#state === 'streaming') return this.#options.write(piece)
    this.#held.push(piece)
    this.#bytes += piece.length
    if (this.#bytes <= LONG || this.#state === 'asked') return
    this.#state = this.#options.mayStream(firstBytes(this.#held)) ? 'streaming' : 'asked'
    if (this.#state !== 'streaming') return
    for (const held of this.#held) this.#options.write(held)
    this.#held = []
  }

  #finish(last: Buffer): void {
    const [held, state] = [this.#held, this.#state]
    this.#held = []
    this.#bytes = 0
    this.#state = 'holding'
    if (state === 'streaming') {
      this.#writeLine(last)
      return this.#options.onStreamed?.()
    }
    const passed = this.#options.onLine(held.length === 0 ? last : Buffer.concat([...held, last]))
    if (passed) this.#writeLine(passed)
  }
}

function firstBytes(chunks: readonly Buffer[]): Buffer {
  let end = 0
  for (let bytes = 0; end < chunks.length && bytes < HEAD; end++) bytes += chunks[end]?.length ?? 0
  return Buffer.concat(chunks.slice(0, end)).subarray(0, HEAD)
}
