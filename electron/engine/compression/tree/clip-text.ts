import { bm25 } from '../../text/words/bm25.ts'
import { countTerms } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'

const GAP = ' … '
const LONGEST_SENTENCE = 400
const NEIGHBOUR = 0.25

/** Sentences or lines that fit the goal, in order, else the beginning. `…` marks omissions. */
export function clipText(text: string, longest: number, goal: Goal | undefined): string {
  const sentences = splitSentences(text)
  const scores = goal === undefined ? undefined : scoreSentences(sentences, goal)
  const order = sentences.map((_, index) => index)
  if (scores) order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)

  const taken = new Set<number>()
  let left = longest
  for (const index of order) {
    const length = (sentences[index]?.length ?? 0) + GAP.length
    if (length <= left) {
      taken.add(index)
      left -= length
    } else if (!scores || left < 40) break
  }
  if (taken.size === 0) return `${cutWhole(text, longest - 1)}…`
  let clipped = ''
  let previous = -1
  for (const index of [...taken].sort((a, b) => a - b)) {
    if (index > previous + 1) clipped = `${clipped.trimEnd()}${clipped === '' ? '… ' : GAP}`
    clipped += sentences[index] ?? ''
    previous = index
  }
  return previous < sentences.length - 1 ? `${clipped.trimEnd()} …` : clipped
}

/** Includes a share of the better neighbour: answers are often adjacent to matches. */
function scoreSentences(sentences: readonly string[], goal: Goal): number[] {
  const { scores } = bm25(
    sentences.map((part) => countTerms(part, goal)),
    goal,
  )
  return sentences.map(
    (_, i) => (scores[i] ?? 0) + NEIGHBOUR * Math.max(scores[i - 1] ?? 0, scores[i + 1] ?? 0),
  )
}

/** Sentences and lines that concatenate to the text, long ones cut at blanks. */
function splitSentences(text: string): string[] {
  const pieces: string[] = []
  for (const sentence of text.match(/[^.!?\n]*(?:[.!?](?!\s)[^.!?\n]*)*(?:[.!?]+\s*|\n+|$)/g) ?? [text]) {
    let rest = sentence
    while (rest.length > LONGEST_SENTENCE) {
      const blank = rest.lastIndexOf(' ', LONGEST_SENTENCE)
      const cut = blank > LONGEST_SENTENCE / 2 ? blank + 1 : cutWhole(rest, LONGEST_SENTENCE).length
      pieces.push(rest.slice(0, cut))
      rest = rest.slice(cut)
    }
    if (rest !== '') pieces.push(rest)
  }
  return pieces
}

/** Keeps surrogate pairs whole. */
function cutWhole(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
