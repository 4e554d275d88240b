import { readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { writeFileAtomically } from '../../write-file-atomically.ts'

/** Which pieces of a partly downloaded file are on the disk; a file beside it, so that it outlives the process. */
const PieceState = z.object({
  bytes: z.int().positive(),
  pieceBytes: z.int().positive(),
  /** What the pieces belong to: another one means another file. */
  etag: z.string().optional(),
  /** By number, from 0. */
  done: z.array(z.int().nonnegative()),
})
export type PieceState = z.infer<typeof PieceState>

export const statePath = (partPath: string): string => `${partPath}.json`

export function readPieceState(partPath: string): PieceState | undefined {
  try {
    return PieceState.parse(JSON.parse(readFileSync(statePath(partPath), 'utf8')))
  } catch {
    // Absent or damaged: it is downloaded from the start.
    return undefined
  }
}

export const writePieceState = (partPath: string, state: PieceState): void =>
  writeFileAtomically(statePath(partPath), JSON.stringify(state))

export function removePart(partPath: string): void {
  rmSync(partPath, { force: true })
  rmSync(statePath(partPath), { force: true })
}

export const piecesOf = ({ bytes, pieceBytes }: Pick<PieceState, 'bytes' | 'pieceBytes'>): number =>
  Math.ceil(bytes / pieceBytes)

/** First byte and the one after the last. */
export const spanOf = (
  { bytes, pieceBytes }: Pick<PieceState, 'bytes' | 'pieceBytes'>,
  piece: number,
): { start: number; end: number } => ({
  start: piece * pieceBytes,
  end: Math.min(bytes, (piece + 1) * pieceBytes),
})

/** Bytes of the finished pieces. */
export const bytesDone = (state: PieceState): number =>
  state.done.reduce((sum, piece) => {
    const { start, end } = spanOf(state, piece)
    return sum + Math.max(0, end - start)
  }, 0)
