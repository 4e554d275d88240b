import { estimateTokens } from '../../text/tokens/estimate-tokens.ts'
import type { Definition } from './definition.ts'

/** Printed whole or not at all. Only blanks lie between chunks. */
export interface Chunk {
  readonly start: number
  readonly end: number
  /** Innermost enclosing definition; -1 at top level. */
  readonly owner: number
  /** Chunk with the required signature; -1 for itself. */
  readonly head: number
}

/**
 * Characters per token of the budget: longer functions, and longer loose stretches, are split. From 500 tokens on sizes no
 * longer grow, so that a larger budget has the same pieces to choose from.
 */
const LARGE = { perToken: 2.2, atMost: 1100 } as const
const LOOSE = { perToken: 0.8, atLeast: 200, atMost: 400 } as const
/** Characters a token of source has; pieces of denser source are shorter. */
const USUAL = 3
/** Characters of a comment above the signature of what is split; a longer one is split off. */
const LONG_COMMENT = 150

/**
 * Splits source along definitions: keeps leaves whole, splits classes into head, members and the text between. Parts
 * too long for the budget (tokens) are cut at inner definitions, blank lines and lines.
 */
export function chunkSource(text: string, definitions: readonly Definition[], budget: number): Chunk[] {
  const density = Math.min(1, text.length / Math.max(1, estimateTokens(text)) / USUAL)
  const large = density * Math.min(LARGE.atMost, budget * LARGE.perToken)
  const loose = Math.max(LOOSE.atLeast, Math.min(LOOSE.atMost, budget * LOOSE.perToken))
  const children = Map.groupBy(definitions.keys(), (i) => definitions[i]?.parent ?? -1)
  const chunks: Chunk[] = []

  const add = (from: number, to: number, owner: number, head: number): void => {
    const start = skipBlankLines(text, from, to)
    let end = to
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
    if (end > start) chunks.push({ start, end, owner, head })
  }
  const addLoose = (from: number, to: number, owner: number, head: number): void => {
    let start = from
    while (to - start > loose) {
      const cut = cutAfter(text, start + loose / 2, Math.min(to, start + loose))
      add(start, cut, owner, head)
      start = cut
    }
    add(start, to, owner, head)
  }

  // The input controls nesting, so no recursion.
  type Step = { from: number; to: number; owner: number; head: number } | { enter: number; head: number }
  const steps: Step[] = []
  const schedule = (from: number, to: number, owner: number, head: number): void => {
    let at = from
    const planned: Step[] = []
    for (const child of children.get(owner) ?? []) {
      const definition = definitions[child]
      if (!definition) continue
      planned.push({ from: at, to: definition.start, owner, head }, { enter: child, head })
      at = definition.end
    }
    planned.push({ from: at, to, owner, head })
    for (const step of planned.reverse()) steps.push(step)
  }
  schedule(0, text.length, -1, -1)
  for (let step = steps.pop(); step; step = steps.pop()) {
    if (!('enter' in step)) {
      addLoose(step.from, step.to, step.owner, step.head)
      continue
    }
    const definition = definitions[step.enter]
    if (!definition) continue
    const { start, signature, bodyStart, end } = definition
    const inner = children.get(step.enter) ?? []
    const isWhole = end - start <= large && (definition.kind !== 'type' || inner.length === 0)
    if (isWhole) {
      add(start, end, step.enter, step.head)
      continue
    }
    const firstInner = definitions[inner[0] ?? -1]?.start ?? end
    const wholeHead = Math.min(firstInner, Math.max(lineEndAfter(text, bodyStart), start))
    const headEnd =
      wholeHead - signature > large / 2 ? Math.min(wholeHead, lineEndAfter(text, signature)) : wholeHead
    const isLong = signature - start > LONG_COMMENT
    const comment = chunks.length
    if (isLong) addLoose(start, signature, step.enter, step.head)
    const head = chunks.length
    for (let i = comment; i < head; i++) chunks[i] = { ...chunks[i]!, head }
    add(isLong ? signature : start, headEnd, step.enter, step.head)
    schedule(headEnd, end, step.enter, head < chunks.length ? head : step.head)
  }
  return chunks
}

const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** Keeps the first content line's indentation. */
function skipBlankLines(text: string, from: number, to: number): number {
  let lineStart = from
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) lineStart = i + 1
    else if (!isBlank(code)) return lineStart
  }
  return to
}

function lineEndAfter(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  return found < 0 ? text.length : found + 1
}

/** After a blank line, else a line, else a part of a list or statement, else a word, else at the limit. */
function cutAfter(text: string, earliest: number, latest: number): number {
  const from = Math.ceil(earliest)
  const window = text.slice(from, latest)
  const blank = window.lastIndexOf('\n\n')
  if (blank >= 0) return from + blank + 2
  const line = window.lastIndexOf('\n')
  if (line >= 0) return from + line + 1
  const word = /.*[,;] /su.exec(window) ?? /.*[^\p{L}\p{N}_$]/su.exec(window)
  if (word) return from + word[0].length
  const code = text.charCodeAt(latest)
  return code >= 0xdc00 && code <= 0xdfff ? latest - 1 : latest
}
