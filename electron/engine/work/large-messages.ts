import { SluiceError } from '../ground/errors.ts'

/** May detach the pieces' memory. */
export type ParseLarge = (pieces: readonly Uint8Array[]) => Promise<unknown>

/** Transferable; copies those that share memory. */
export function ownPieces(pieces: readonly Uint8Array[]): {
  pieces: Uint8Array<ArrayBuffer>[]
  transfer: ArrayBuffer[]
} {
  const own = pieces.map((piece) =>
    piece.buffer instanceof ArrayBuffer && piece.length === piece.buffer.byteLength
      ? (piece as Uint8Array<ArrayBuffer>)
      : new Uint8Array(piece),
  )
  return { pieces: own, transfer: [...new Set(own.map(({ buffer }) => buffer))] }
}

export const tooLarge = (bytes: number, limit: number): SluiceError =>
  new SluiceError(
    'MESSAGE_TOO_LARGE',
    `The server's answer has ${bytes} bytes or more, over the limit of ${limit} (limits.maxMessageBytes in config.json). Ask for less, or raise the limit.`,
    { data: { bytes, limit } },
  )
