import { closeSync, openSync, readSync, fstatSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { TranscriptProblem } from './transcript.ts'

const PIECE = 1 << 20
/** No app writes a longer line. */
const LONGEST_LINE = 256 << 20

/**
 * The objects of a file as far as it had been written when it was opened. A line that can't be parsed is left out and
 * counted in `problems` at the end; the last one may still be in writing.
 */
export function* readJsonLines(path: string, problems: TranscriptProblem[]): Generator<JsonObject, void> {
  let damaged = 0
  let first: number | undefined
  let number = 0
  let isLast = false
  for (const line of linesOf(path)) {
    number++
    isLast = false
    if (line.isBlank()) continue
    const value = line.parse()
    if (isJsonObject(value)) yield value
    else if (value === undefined && !line.isEnded) isLast = true
    else {
      damaged++
      first ??= number
    }
  }
  if (damaged > 0) {
    problems.push({
      type: 'problem',
      problem: 'damaged',
      lines: damaged,
      message: `${damaged === 1 ? 'One line' : `${damaged} lines`} can't be read (the first is line ${first}) and left out.`,
    })
  }
  if (isLast) {
    problems.push({
      type: 'problem',
      problem: 'cut',
      lines: 1,
      message: `The last line, ${number}, is cut: the app is writing it, or was ended.`,
    })
  }
}

class Line {
  readonly #bytes: Buffer
  /** By a line break. */
  readonly isEnded: boolean

  constructor(bytes: Buffer, isEnded: boolean) {
    this.#bytes = bytes
    this.isEnded = isEnded
  }

  isBlank(): boolean {
    return this.#bytes.length < 3 && this.#bytes.toString('latin1').trim() === ''
  }

  /** Undefined if it can't be parsed. */
  parse(): unknown {
    try {
      return JSON.parse(this.#bytes.toString('utf8'))
    } catch {
      return undefined
    }
  }
}

function* linesOf(path: string): Generator<Line> {
  const file = openSync(path, 'r')
  try {
    let left = fstatSync(file).size
    let pieces: Buffer[] = []
    let length = 0
    while (left > 0) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, left))
      const size = readSync(file, piece, 0, piece.length, null)
      if (size === 0) break
      left -= size
      let start = 0
      for (let end = piece.indexOf(10); end >= 0 && end < size; end = piece.indexOf(10, start)) {
        const tail = piece.subarray(start, end)
        yield new Line(pieces.length > 0 ? Buffer.concat([...pieces, tail]) : tail, true)
        pieces = []
        length = 0
        start = end + 1
      }
      if (start === size) continue
      const rest = piece.subarray(start, size)
      length += rest.length
      // Kept as one broken byte: the line counts as damaged, and takes no memory.
      if (length > LONGEST_LINE) pieces = [Buffer.from('{')]
      else pieces.push(rest)
    }
    if (pieces.length > 0) yield new Line(Buffer.concat(pieces), false)
  } finally {
    closeSync(file)
  }
}
