import type { Comparison, Passage } from '../../../shared/api/results.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'compare-passages': (texts: ComparedTexts) => Promise<ComparedPassages>
  }
}

export interface ComparedTexts {
  readonly original: string
  readonly sent: string
}
export type ComparedPassages = Pick<Comparison, 'passages' | 'omittedLines' | 'furtherLines' | 'unit'>

/** Of longer originals, the beginning. */
const MOST_LINES = 200_000
const MOST_PASSAGES = 4_000
/** Characters of one passage, and of all; of what was left out after these, a glimpse. */
const MOST_OF_PASSAGE = 250_000
const MOST_TOGETHER = 1_000_000
const GLIMPSE = 200
/** Fewer, longer lines are compared by sentences and tags. */
const FEW_LINES = 3
const LONG_LINE = 500
const INSIDE_WORD = /^(?:[\p{L}\p{N}_]{2}|\d\.\d)/u

/**
 * The original as runs of pieces that the model got, or didn't get. A line is found if its whole words appear in order,
 * ignoring quotes, indentation and commas. One-line JSON is compared indented, other long lines by passages.
 */
export function comparePassages({ original, sent }: ComparedTexts): ComparedPassages {
  const { pieces, unit, joint } = piecesOf(original)
  const compared = pieces.slice(0, MOST_LINES)
  const words = compared.map(bare)
  const isThere = presence(words, bare(sent))
  const passages: Passage[] = []
  let omittedLines = 0
  let together = 0
  let run: string[] = []
  let isKept = true
  let shown = 0
  const close = (nextLine: number): void => {
    if (run.length === 0) return
    if (!isKept) omittedLines += run.length
    if (passages.length < MOST_PASSAGES) {
      const whole = run.join(joint)
      const left = isKept ? MOST_OF_PASSAGE : Math.max(GLIMPSE, MOST_TOGETHER - together)
      const text = whole.slice(0, Math.min(MOST_OF_PASSAGE, left))
      together += text.length
      shown = nextLine
      passages.push({
        isKept,
        fromLine: nextLine - run.length + 1,
        lines: run.length,
        text,
        isCut: text.length < whole.length,
      })
    }
    run = []
  }
  compared.forEach((line, index) => {
    const found = isThere(words[index] ?? '', isKept)
    if (found !== isKept) {
      close(index)
      isKept = found
    }
    run.push(line)
  })
  close(compared.length)
  return { passages, omittedLines, furtherLines: pieces.length - shown, unit }
}

/** A blank piece, and one that the original has more often than the model got it, belong to the piece before. */
function presence(all: readonly string[], there: string): (words: string, isKeptBefore: boolean) => boolean {
  const counts = new Map<string, number>()
  for (const words of all) counts.set(words, (counts.get(words) ?? 0) + 1)
  const isThere = new Map<string, boolean>()
  const isAllThere = new Map<string, boolean>()
  return (words, isKeptBefore) => {
    if (words === '') return isKeptBefore
    const found = remembered(isThere, words, () => hasWhole(there, words, 1))
    const count = counts.get(words) ?? 1
    if (!found || count === 1 || isKeptBefore) return found
    return remembered(isAllThere, words, () => hasWhole(there, words, count))
  }
}

/** `id:1` is not in `id:14`, nor `3` in `3.5`. */
function hasWhole(text: string, words: string, times: number): boolean {
  let found = 0
  for (let at = text.indexOf(words); at !== -1 && found < times; at = text.indexOf(words, at + 1)) {
    const end = at + words.length
    const isInside =
      INSIDE_WORD.test(text.slice(Math.max(0, at - 1), at + 1)) ||
      INSIDE_WORD.test(text.slice(end - 1, end + 2))
    if (!isInside) found += 1
  }
  return found === times
}

function remembered(known: Map<string, boolean>, words: string, find: () => boolean): boolean {
  const value = known.get(words) ?? find()
  known.set(words, value)
  return value
}

function piecesOf(text: string): { pieces: string[]; unit: Comparison['unit']; joint: string } {
  const lines = text.split('\n')
  if (lines.length > FEW_LINES) return { pieces: lines, unit: 'line', joint: '\n' }
  try {
    const pieces = JSON.stringify(JSON.parse(text), undefined, 2).split('\n')
    return { pieces, unit: 'indented-line', joint: '\n' }
  } catch {
    if (lines.every((line) => line.length <= LONG_LINE)) return { pieces: lines, unit: 'line', joint: '\n' }
    return { pieces: text.split(/(?<=[.!?;]\s)|(?<=>)(?=\s*<)|(?<=\n)/), unit: 'passage', joint: '' }
  }
}

/** Punctuation that reformatting changes. */
const bare = (text: string): string =>
  text
    .replaceAll(/[\s"'`,{}[\]|]+/g, ' ')
    .replaceAll(/ ?: ?/g, ':')
    .trim()
