import { readFileSync, rmSync, statSync } from 'node:fs'
import { z } from 'zod'
import { writeFileAtomically } from '../../ground/files/write-file-atomically.ts'

const PieceState = z.object({
  bytes: z.int().positive(),
  pieceBytes: z.int().positive(),
  /** Another file restarts the download. */
  etag: z.string().optional(),
  /** From 0. */
  done: z.array(z.int().nonnegative()),
  begun: z.array(z.tuple([z.int().nonnegative(), z.int().positive()])).default([]),
})
export type PieceState = z.infer<typeof PieceState>

const statePath = (partPath: string): string => `${partPath}.json`

export function readPieceState(partPath: string): PieceState | undefined {
  try {
    return PieceState.parse(JSON.parse(readFileSync(statePath(partPath), 'utf8')))
  } catch {
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

export const spanOf = (
  { bytes, pieceBytes }: Pick<PieceState, 'bytes' | 'pieceBytes'>,
  piece: number,
): { start: number; end: number } => ({
  start: piece * pieceBytes,
  end: Math.min(bytes, (piece + 1) * pieceBytes),
})

/** With partial pieces. */
export const bytesDone = (state: PieceState): number =>
  spansOf(state).reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)

export const isWhole = (partPath: string, state: PieceState): boolean =>
  (statSync(partPath, { throwIfNoEntry: false })?.size ?? 0) >=
  Math.max(0, ...spansOf(state).map(({ end }) => end))

const spansOf = (state: PieceState): { start: number; end: number }[] => [
  ...state.done.map((piece) => spanOf(state, piece)),
  ...state.begun.map(([piece, came]) => {
    const { start, end } = spanOf(state, piece)
    return { start, end: Math.min(end, start + came) }
  }),
]

/** Drops the last bytes, so that a full disk has room for the state file. Returns the rest. */
export function giveWay(state: PieceState, bytes: number): { left: PieceState; length: number } {
  const last = Math.max(-1, ...state.done, ...state.begun.map(([piece]) => piece))
  if (last < 0) return { left: state, length: 0 }
  const { start, end } = spanOf(state, last)
  const written = state.begun.find(([piece]) => piece === last)?.[1] ?? end - start
  const came = Math.max(0, written - bytes)
  const others = state.begun.filter(([piece]) => piece !== last)
  return {
    left: {
      ...state,
      done: state.done.filter((piece) => piece !== last),
      begun: came === 0 ? others : [...others, [last, came]],
    },
    length: start + came,
  }
}
