import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'

/**
 * A baseline that most tools with a goal use: the best lines by Okapi BM25 over words (bigrams for Chinese and
 * Japanese), in text order, as many as fit. Without a goal, the first lines.
 */
export function bestLines(text: string, goal: string | undefined, budget: number): string {
  const lines = text.split('\n')
  const order = goal === undefined ? [...lines.keys()] : ranked(lines, wordsOf(goal))
  const taken: number[] = []
  let left = budget
  for (const i of order) {
    const line = lines[i] ?? ''
    const cost = countTokens(line) + 1
    if (cost > left) {
      if (left < budget / 20) break
      continue
    }
    left -= cost
    taken.push(i)
  }
  return taken
    .sort((a, b) => a - b)
    .map((i) => lines[i])
    .join('\n')
}

function ranked(lines: readonly string[], goal: readonly string[]): number[] {
  const wanted = new Set(goal)
  const counts = lines.map((line) => {
    const words = wordsOf(line)
    const found = new Map<string, number>()
    for (const word of words) if (wanted.has(word)) found.set(word, (found.get(word) ?? 0) + 1)
    return { found, length: words.length }
  })
  const average = counts.reduce((sum, { length }) => sum + length, 0) / lines.length || 1
  const idf = new Map(
    [...wanted].map((word) => {
      const n = counts.filter(({ found }) => found.has(word)).length
      return [word, Math.log(1 + (lines.length - n + 0.5) / (n + 0.5))] as const
    }),
  )
  const scores = counts.map(({ found, length }) => {
    let score = 0
    for (const [word, n] of found)
      score += ((idf.get(word) ?? 0) * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * length) / average))
    return score
  })
  return [...lines.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+|[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) =>
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{2}/u.test(word)
      ? Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2))
      : [word],
  )
}
