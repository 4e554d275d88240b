/**
 * The value of one JSON document that came in pieces of UTF-8. Takes the pieces' memory away as it goes, and whatever else
 * is no longer needed, since a document of 50 MB would otherwise lie there four times at once.
 */
export function parsePieces(pieces: readonly Uint8Array<ArrayBuffer>[]): unknown {
  return JSON.parse(decoded(pieces))
}

function decoded(pieces: readonly Uint8Array<ArrayBuffer>[]): string {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
    giveBack(piece)
  }
  const text = new TextDecoder().decode(bytes)
  giveBack(bytes)
  return text
}

const giveBack = (bytes: Uint8Array<ArrayBuffer>): void => {
  bytes.buffer.transfer(0)
}
