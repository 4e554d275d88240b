export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** All at once: offsets refer to the original. Insertions at one offset keep their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const removals = splices.filter(({ start, end }) => end > start)
  const inOrder = splices
    .map((splice) => (splice.end > splice.start ? splice : outOfRemovals(text, splice, removals)))
    .map((splice, index) => ({ ...splice, index }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index)
  const parts: string[] = []
  let done = 0
  let isRemoval = false
  for (const { start, end, text: inserted } of inOrder) {
    const goes = inserted === ''
    // Adjacent removals may both include the spaces between them.
    if (start < done && !(goes && isRemoval)) throw new Error('Two changes of the file overlap.')
    if (start > done) parts.push(text.slice(done, start))
    parts.push(inserted)
    done = Math.max(done, end)
    isRemoval = goes
  }
  parts.push(text.slice(done))
  return parts.join('')
}

/** New lines after a removed line go to the line before it. */
function outOfRemovals(text: string, insertion: Splice, removals: readonly Splice[]): Splice {
  const around = removals.find(({ start, end }) => start < insertion.start && insertion.start < end)
  if (!around || text[around.start - 1] !== '\n') return insertion
  const before = around.start - (text[around.start - 2] === '\r' ? 2 : 1)
  return outOfRemovals(text, { ...insertion, start: before, end: before }, removals)
}
