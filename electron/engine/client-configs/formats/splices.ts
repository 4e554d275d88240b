/** Puts `text` in the place of what stands from `start` up to `end`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** All at once: offsets are those of the text before. Insertions at one offset keep their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const inOrder = splices
    .map((splice, index) => ({ ...splice, index }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index)
  const parts: string[] = []
  let done = 0
  for (const { start, end, text: inserted } of inOrder) {
    if (start < done) throw new Error('Two changes of the file overlap.')
    parts.push(text.slice(done, start), inserted)
    done = end
  }
  parts.push(text.slice(done))
  return parts.join('')
}
