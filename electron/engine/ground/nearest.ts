/** Fewest letters of a beginning that count as a name. */
const FEWEST_LETTERS = 3

/** Ignores case; at most one mistake per three letters (missing, extra, wrong, or two swapped), else the beginning of a name. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  let best: { candidate: string; distance: number } | undefined
  let begun: string | undefined
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (wanted.length >= FEWEST_LETTERS && candidate.toLowerCase().startsWith(wanted)) begun ??= candidate
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { candidate, distance }
  }
  return best?.candidate ?? begun
}

/** `Did you mean "x"?`, or empty. */
export const didYouMean = (word: string, candidates: Iterable<string>): string => {
  const found = nearest(word, candidates)
  return found === undefined ? '' : ` Did you mean "${found}"?`
}

/** Levenshtein's distance with a swap of neighbours as one mistake (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, j - 2) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = row
  }
  return at(last, to.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity
