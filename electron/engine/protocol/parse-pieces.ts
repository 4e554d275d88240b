import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { findLongStrings, LONG_STRING_BYTES, type StringPlace } from './find-long-strings.ts'
import { noteSources, parseExact } from './exact-json.ts'
import { textsAsTheyCame, type JsonInside } from './texts-as-they-came.ts'

/** In larger documents texts' sources aren't held: they would be a second copy. */
const MOST_HELD_BYTES = 20_000_000

/**
 * Releases the pieces as it goes, because a 50 MB document would otherwise be in memory four times. Holds long texts'
 * source (texts-as-they-came.ts); `longString`: its bytes.
 */
export function parsePieces(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  { longString = LONG_STRING_BYTES }: { longString?: number } = {},
): unknown {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (size > MOST_HELD_BYTES) {
    const bytes = joinInto(new Uint8Array(size), pieces)
    const text = new TextDecoder().decode(bytes)
    giveBack(bytes)
    return parseExact(text)
  }
  const bytes = joinInto(new Uint8Array(new SharedArrayBuffer(size)), pieces)
  const longStrings = isUtf8(bytes) ? findLongStrings(bytes, longString) : []
  const inParts = longStrings.length > 0 ? parseInParts(bytes, longStrings) : undefined
  return inParts ? inParts.value : parseExact(new TextDecoder().decode(bytes))
}

/**
 * Parses long strings separately, which proves their source. Undefined if a part is invalid (the whole gives the
 * better message), or if a long string is a key.
 */
function parseInParts(
  bytes: JsonInside,
  longStrings: readonly StringPlace[],
): { value: unknown } | undefined {
  // Occurs nowhere else.
  const mark = randomUUID()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const texts = new Map<string, string>()
  let frame = ''
  let end = 0
  try {
    for (const [index, place] of longStrings.entries()) {
      // With its quotes.
      const text = JSON.parse(decoder.decode(bytes.subarray(place.start - 1, place.end + 1))) as string
      textsAsTheyCame.hold(text, bytes.subarray(place.start, place.end))
      texts.set(`${mark}-${index}`, text)
      frame += `${decoder.decode(bytes.subarray(end, place.start))}${mark}-${index}`
      end = place.end
    }
    frame += decoder.decode(bytes.subarray(end))
    const value: unknown = JSON.parse(frame, (_, item: unknown) => {
      const text = typeof item === 'string' ? texts.get(item) : undefined
      if (text === undefined) return item
      texts.delete(item as string)
      return text
    })
    return texts.size === 0 ? { value: noteSources(value, frame) } : undefined
  } catch {
    return undefined
  }
}

function joinInto<Bytes extends Uint8Array>(bytes: Bytes, pieces: readonly Uint8Array<ArrayBuffer>[]): Bytes {
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
    giveBack(piece)
  }
  return bytes
}

const giveBack = (bytes: Uint8Array<ArrayBuffer>): void => {
  bytes.buffer.transfer(0)
}
