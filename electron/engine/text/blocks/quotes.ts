import { densityOf } from './density.ts'
import { splitSentences } from './split-sentences.ts'

/** Shorter paragraphs stay whole. */
const SPLIT_FROM = 300

/** Marks of quoted lines in mail and Markdown. */
const MARKS = /^[ \t]*(?:>[ \t]?)+/
export const isQuoted = (text: string): boolean => MARKS.test(text)

/** Sentences of a paragraph; each line of a quoted one keeps its marks, because they say that another author wrote it. */
export function splitParagraph(text: string): string[] {
  if (!text.includes('>')) return splitPlain(text)
  const runs = runsOf(text.split('\n'))
  return runs.length === 1 && runs[0]?.marks === ''
    ? splitPlain(text)
    : runs.flatMap(({ marks, lines }) =>
        splitPlain(lines.join('\n')).map((piece) =>
          piece
            .split('\n')
            .map((line) => marks + line)
            .join('\n'),
        ),
      )
}

interface Run {
  readonly marks: string
  readonly lines: string[]
}

/** Consecutive lines with the same marks; bare marks separate paragraphs. */
function runsOf(lines: readonly string[]): Run[] {
  const runs: Run[] = []
  let last: Run | undefined
  for (const line of lines) {
    const marks = MARKS.exec(line)?.[0] ?? ''
    const words = line.slice(marks.length)
    if (marks !== '' && words.trim() === '') last = undefined
    else if (last !== undefined && last.marks === marks && !introducesQuote(line)) last.lines.push(words)
    else runs.push((last = { marks, lines: [words] }))
    if (introducesQuote(line)) last = undefined
  }
  return runs
}

/** "> On Monday Ann wrote:". */
export const introducesQuote = (line: string): boolean => isQuoted(line) && /[^\n]:\s*$/.test(line)

const splitPlain = (text: string): string[] =>
  text.length * densityOf(text) > SPLIT_FROM ? splitSentences(text, isWrapped(text)) : [text]

/** Lines of similar length that mostly break within a sentence. */
function isWrapped(text: string): boolean {
  const lines = text.split('\n')
  const inner = lines.slice(0, -1)
  if (inner.length < 2) return false
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  if (longest < 50 || longest > 160) return false
  const full = inner.filter((line) => line.length > 0.7 * longest)
  const ended = inner.filter((line) => /[.:;!?]\s*$/.test(line))
  return full.length > 0.8 * inner.length && ended.length < 0.4 * inner.length
}

/** Quoted texts whose sentences are all written elsewhere, too: without marks, or in a quotation before. */
export function quotedRepeats(texts: readonly string[]): ReadonlySet<number> {
  const repeats = new Set<number>()
  const quoted = texts.flatMap((text, i) => (isQuoted(text) ? [i] : []))
  if (quoted.length === 0) return repeats
  const known = new Set<string>()
  const sentencesOf = (text: string): string[] =>
    splitSentences(text.replace(ALL_MARKS, ' ').replace(/\s+/g, ' ').trim(), true)
  for (const text of texts) if (!isQuoted(text)) for (const each of sentencesOf(text)) known.add(each)
  for (const i of quoted) {
    const sentences = sentencesOf(texts[i] ?? '')
    if (sentences.every((each) => known.has(each))) repeats.add(i)
    for (const each of sentences) known.add(each)
  }
  for (const i of quoted)
    if (repeats.has(i + 1) && introducesQuote(texts[i] ?? '') && isQuoted(texts[i + 1] ?? '')) repeats.add(i)
  return repeats
}

const ALL_MARKS = /^[ \t]*(?:>[ \t]?)+/gm
