export interface OversizedLine {
  readonly bytes: number
  readonly head: Buffer
  readonly tail: Buffer
}

export interface LargeLine extends OversizedLine {
  readonly pieces: readonly Buffer[]
}

export interface LineReaderOptions {
  /** Longer lines are discarded while arriving. */
  readonly maxLineBytes: number
  /** If the source reuses buffers, the bytes are valid only in this turn. */
  onLine(line: Buffer): void
  onOversized(line: OversizedLine): void
  /** Receives lines over `from` bytes. */
  readonly large?: { readonly from: number; readonly onLine: (line: LargeLine) => void }
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const KEPT_BYTES = 4096

/** Searches only the newest chunk and copies each byte at most once: time for a 50 MB line is linear, not quadratic. */
export class LineReader {
  readonly #options: LineReaderOptions
  #chunks: Buffer[] = []
  #bytes = 0
  #oversized: { head: Buffer; tail: Buffer } | undefined

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  /** Of the unfinished line, in memory. */
  get unfinishedBytes(): number {
    return this.#oversized ? 0 : this.#bytes
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

  /** The rest is a line, too. */
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
    const { large } = this.#options
    if (large && bytes > large.from) {
      large.onLine(largeLine(chunks, bytes))
      return
    }
    const line = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)
    this.#options.onLine(line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line)
  }
}

function largeLine(chunks: Buffer[], bytes: number): LargeLine {
  const last = chunks.at(-1)
  const ended = last?.at(-1) === CARRIAGE_RETURN
  const pieces = ended ? [...chunks.slice(0, -1), last.subarray(0, -1)] : chunks
  return {
    pieces,
    bytes: ended ? bytes - 1 : bytes,
    head: firstBytes(pieces),
    tail: lastPieces(pieces).reduce(lastBytes, Buffer.alloc(0)),
  }
}

function lastPieces(pieces: readonly Buffer[]): readonly Buffer[] {
  let first = pieces.length
  for (let bytes = 0; first > 0 && bytes < KEPT_BYTES; bytes += pieces[first]?.length ?? 0) first--
  return pieces.slice(first)
}

function firstBytes(chunks: readonly Buffer[]): Buffer {
  let end = 0
  for (let bytes = 0; end < chunks.length && bytes < KEPT_BYTES; end++) bytes += chunks[end]?.length ?? 0
  return Buffer.concat(chunks.slice(0, end)).subarray(0, KEPT_BYTES)
}

const lastBytes = (tail: Buffer, piece: Buffer): Buffer =>
  piece.length >= KEPT_BYTES
    ? Buffer.from(piece.subarray(-KEPT_BYTES))
    : Buffer.concat([tail, piece]).subarray(-KEPT_BYTES)
