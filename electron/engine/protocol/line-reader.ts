/** What is kept of a line that was too long: enough to find out which request it belongs to. */
export interface OversizedLine {
  readonly bytes: number
  readonly head: Buffer
  readonly tail: Buffer
}

export interface LineReaderOptions {
  /** Longer lines are thrown away while they arrive, so that they never fill the memory. */
  readonly maxLineBytes: number
  /** A line without its line break. Its bytes are only valid until the caller's next turn if the source reuses buffers. */
  onLine(line: Buffer): void
  onOversized(line: OversizedLine): void
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const KEPT_BYTES = 4096

/**
 * Cuts a stream of bytes into lines. Only the newest chunk is searched for a line break and every byte is copied at
 * most once, so that the time for a line of 50 MB grows with its length and not with its square.
 */
export class LineReader {
  readonly #options: LineReaderOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #oversized: { head: Buffer; tail: Buffer } | undefined

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#append(chunk.subarray(start, end))
      this.#finishLine()
      start = end + 1
    }
    if (start < chunk.length) this.#append(chunk.subarray(start))
  }

  /** The stream is over: what stands after the last line break is a line too. */
  end(): void {
    if (this.#bytes > 0) this.#finishLine()
  }

  #append(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#oversized) {
      this.#oversized.tail = lastBytes(this.#oversized.tail, piece)
    } else if (this.#bytes > this.#options.maxLineBytes) {
      this.#chunks.push(piece)
      this.#oversized = {
        head: Buffer.from(firstBytes(this.#chunks)),
        tail: this.#chunks.reduce(lastBytes, Buffer.alloc(0)),
      }
      this.#chunks = []
    } else if (piece.length > 0) {
      this.#chunks.push(piece)
    }
  }

  #finishLine(): void {
    const chunks = this.#chunks
    const oversized = this.#oversized
    const bytes = this.#bytes
    this.#chunks = []
    this.#oversized = undefined
    this.#bytes = 0
    if (oversized) {
      this.#options.onOversized({ bytes, ...oversized })
      return
    }
    const line = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)
    this.#options.onLine(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line)
  }
}

const firstBytes = (chunks: readonly Buffer[]): Buffer =>
  Buffer.concat(chunks.map((chunk) => chunk.subarray(0, KEPT_BYTES))).subarray(0, KEPT_BYTES)

const lastBytes = (tail: Buffer, piece: Buffer): Buffer =>
  piece.length >= KEPT_BYTES
    ? Buffer.from(piece.subarray(-KEPT_BYTES))
    : Buffer.concat([tail, piece]).subarray(-KEPT_BYTES)
