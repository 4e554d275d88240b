import type { Writable } from 'node:stream'
import { inTurns, Turn } from '../ground/steps.ts'
import { noteIds } from './exact-message.ts'
import { hasManyValues } from './json-portions.ts'
import { stringifyInPieces } from './stringify-in-pieces.ts'
import { textsAsTheyCame, type JsonInside } from './texts-as-they-came.ts'

/** In characters: about a millisecond's work. */
const PIECE = 250_000

export const isWrittenInTurns = (message: unknown): boolean => hasManyValues(message, { characters: 256 })

/**
 * One line in pieces: other work gets turns and memory holds only what the reader is about to take. Rejects if the
 * output closes or a part can't be written; then ends the line, so that the next message has its own.
 */
export async function writeInTurns(
  output: Writable,
  message: unknown,
  drained: () => Promise<void>,
): Promise<void> {
  noteIds(message)
  const insideOf = (text: string): JsonInside | undefined => textsAsTheyCame.insideOf(text)
  const turn = new Turn()
  let hasBegun = false
  try {
    for (const piece of stringifyInPieces(message, { size: PIECE, insideOf })) {
      for (const part of partsOf(piece)) {
        if (!output.writable)
          throw new Error('The other side closed the connection before it had read everything.')
        hasBegun = true
        if (!output.write(part)) await drained()
        if (turn.isOver) await turn.next()
      }
    }
  } finally {
    if (hasBegun && output.writable) output.write('\n')
  }
}

export async function bytesInTurns(message: unknown): Promise<Buffer> {
  noteIds(message)
  const insideOf = (text: string): JsonInside | undefined => textsAsTheyCame.insideOf(text)
  const pieces = await inTurns(stringifyInPieces(message, { size: PIECE, insideOf }), (piece) =>
    typeof piece === 'string' ? Buffer.from(piece) : piece,
  )
  return Buffer.concat(pieces)
}

function* partsOf(piece: string | JsonInside): Generator<string | JsonInside> {
  if (typeof piece === 'string') yield piece
  else for (let from = 0; from < piece.length; from += PIECE) yield piece.subarray(from, from + PIECE)
}
