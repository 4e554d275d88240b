import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { stringifyInPieces } from './stringify-in-pieces.ts'
import { textsAsTheyCame, type JsonInside } from './texts-as-they-came.ts'

/** In characters: about a millisecond's work. */
const PIECE = 500_000

/**
 * Writes a message with long texts as one line, a piece at a time, so that others have their turn in between and no more of it
 * waits in memory than the reader is about to take. Rejects when the output closes first.
 */
export async function writeInTurns(
  output: Writable,
  message: unknown,
  drained: () => Promise<void>,
): Promise<void> {
  const insideOf = (text: string): JsonInside | undefined => textsAsTheyCame.insideOf(text)
  for (const piece of stringifyInPieces(message, { size: PIECE, insideOf })) {
    for (const part of partsOf(piece)) {
      if (output.destroyed) throw new Error('The other side went away before it had read everything.')
      if (!output.write(part)) await drained()
      else await setImmediate()
    }
  }
  output.write('\n')
}

function* partsOf(piece: string | JsonInside): Generator<string | JsonInside> {
  if (typeof piece === 'string') yield piece
  else for (let from = 0; from < piece.length; from += PIECE) yield piece.subarray(from, from + PIECE)
}
