import { splitAligned } from './split-cells.ts'

interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
}

/**
 * Cells of a line in aligned columns. When the line has fewer than the header, some are empty: each cell belongs to
 * the column whose name begins or ends nearest.
 */
export function alignCells(header: string, line: string): string[] {
  const cells = splitAligned(line)
  const names = piecesOf(header)
  if (cells.length >= names.length) return cells
  const aligned = names.map(() => '')
  let next = 0
  const pieces = piecesOf(line)
  for (const [index, piece] of pieces.entries()) {
    // Leaves columns for following cells.
    const last = names.length - (pieces.length - index)
    let best = next
    for (let column = next; column <= last; column++)
      if (distance(names[column], piece) < distance(names[best], piece)) best = column
    aligned[best] = piece.text
    next = best + 1
  }
  return aligned
}

const distance = (name: Piece | undefined, { start, end }: Piece): number =>
  name ? Math.min(Math.abs(name.start - start), Math.abs(name.end - end)) : Infinity

function piecesOf(line: string): Piece[] {
  let from = 0
  return splitAligned(line).map((text) => {
    const start = line.indexOf(text, from)
    from = start + text.length
    return { text, start, end: from }
  })
}
