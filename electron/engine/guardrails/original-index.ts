/**
 * Of a text some characters of which were exchanged for more or fewer. `jumps`: pairs of an index in the new text and
 * the original's, where they no longer go together.
 */
export function originalIndex(jumps: readonly number[], index: number): number {
  let low = 0
  let high = jumps.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if ((jumps[middle * 2] ?? 0) <= index) low = middle + 1
    else high = middle
  }
  if (low === 0) return index
  return index - (jumps[low * 2 - 2] ?? 0) + (jumps[low * 2 - 1] ?? 0)
}
