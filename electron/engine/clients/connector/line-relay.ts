export interface LineRelayOptions {
  /** Without line break. Returning the same object avoids a copy. */
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

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const isWhole = start === 0 && end === chunk.length - 1 && this.#bytes === 0
      this.#finish(chunk.subarray(start, end), isWhole && this.#state === 'holding' ? chunk : undefined)
      start = end + 1
    }
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start))
  }

  end(): void {
    if (this.#bytes > 0) this.#finish(Buffer.alloc(0), undefined)
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

  #finish(last: Buffer, withBreak: Buffer | undefined): void {
    const { onLine, write } = this.#options
    const [held, state] = [this.#held, this.#state]
    this.#held = []
    this.#bytes = 0
    this.#state = 'holding'
    if (state === 'streaming') {
      if (last.length > 0) write(last)
      write(BREAK)
      return this.#options.onStreamed?.()
    }
    const line = held.length === 0 ? last : Buffer.concat([...held, last])
    const passed = onLine(line)
    if (!passed) return
    if (passed === line && withBreak) return write(withBreak)
    write(passed)
    write(BREAK)
  }
}

function firstBytes(chunks: readonly Buffer[]): Buffer {
  let end = 0
  for (let bytes = 0; end < chunks.length && bytes < HEAD; end++) bytes += chunks[end]?.length ?? 0
  return Buffer.concat(chunks.slice(0, end)).subarray(0, HEAD)
}
