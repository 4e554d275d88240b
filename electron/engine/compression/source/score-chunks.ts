import { bm25, type Scorable } from '../../text/words/bm25.ts'
import { addCounts, countTerms, noCounts, partCounter } from '../../text/words/count-terms.ts'
import { type Goal, parseGoal } from '../rank/goal.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import type { Chunk } from './chunk-source.ts'
import { coverOfDeclarations } from './cover-of-declarations.ts'
import type { Definition } from './definition.ts'

export interface ChunkScores {
  /** Value of each chunk, above 0. */
  readonly values: readonly number[]
  /** Value of naming each definition. */
  readonly names: readonly number[]
}

const WEIGHTS = {
  /** Long functions must not win by length. */
  lengthB: 0.6,
  /** A chunk's signature, relative to its words. */
  signature: 1.5,
  /** Inside a name without boundary ("cube" in "iscuber") or truncated ("incr"); relative to a whole word. */
  insideName: 0.5,
  /** A one-letter parameter in the goal. */
  variable: 0.5,
  /** Share of the goal in a declaration where a value is asked for, relative to the best score. */
  declaration: 1,
  /** Earlier chunks win ties. */
  order: 1e-3,
} as const
const SHORTEST_INSIDE = 4
const LONGEST_SIGNATURE = 2000

/** Without a goal all are alike. */
export function scoreChunks(
  text: string,
  chunks: readonly Chunk[],
  definitions: readonly Definition[],
  goal: Goal | undefined,
): ChunkScores {
  const own = goal ? scoreForGoal(text, chunks, definitions, goal) : chunks.map(() => 1)
  const values = own.map((score, i) => score + WEIGHTS.order * (1 - i / chunks.length))
  const names = definitions.map(() => 0)
  chunks.forEach((chunk, i) => {
    for (let d = chunk.owner; d >= 0; d = definitions[d]?.parent ?? -1)
      names[d] = Math.max(names[d] ?? 0, values[i] ?? 0)
  })
  return { values, names }
}

function scoreForGoal(
  text: string,
  chunks: readonly Chunk[],
  definitions: readonly Definition[],
  goal: Goal,
): number[] {
  const own = relevanceOf(text, chunks, definitions, parseGoal(goal.text, true))
  const declared = coverOfDeclarations(text, chunks, definitions, goal)
  const best = declared === undefined ? 0 : own.reduce((most, score) => Math.max(most, score), 0)
  const variables = variableScores(text, definitions, variablesIn(goal.text))
  return chunks.map(
    ({ owner }, i) =>
      (own[i] ?? 0) +
      WEIGHTS.variable * (variables[owner] ?? 0) +
      WEIGHTS.declaration * best * (declared?.[i] ?? 0),
  )
}

function relevanceOf(
  text: string,
  chunks: readonly Chunk[],
  definitions: readonly Definition[],
  goal: Goal,
): Float64Array {
  const inside = termsInsideNames(goal)
  const signatures = definitions.map((definition) => signatureCounts(text, definition, goal, inside))
  const count = partCounter(text, goal)
  const units = chunks.map((chunk): Scorable => {
    const owner = definitions[chunk.owner]
    const context =
      owner && addCounts(addCounts(undefined, signatures[chunk.owner]), signatures[owner.parent])
    const { counts, length, pairs } = count(chunk.start, chunk.end)
    return { counts, length, pairs, context }
  })
  return bm25(units, goal, { b: WEIGHTS.lengthB, contextWeight: WEIGHTS.signature }).scores
}

const LETTERS_OF_PROSE = new Set(['a', 'i', 's', 't', 'd', 'm'])

/** "x to the power of n"; lower-case. */
function variablesIn(goal: string): ReadonlySet<string> {
  const letters = (goal.match(/(?<![\w'’])[A-Za-z](?![\w'’])/g) ?? []).map((letter) => letter.toLowerCase())
  return new Set(letters.filter((letter) => !LETTERS_OF_PROSE.has(letter)))
}

/** Per definition, the rarity of these variables in its signature. */
function variableScores(
  text: string,
  definitions: readonly Definition[],
  variables: ReadonlySet<string>,
): readonly number[] {
  if (variables.size === 0) return []
  const found = definitions.map(({ start, bodyStart }) => {
    const letters =
      text.slice(start, Math.min(bodyStart, start + LONGEST_SIGNATURE)).match(/\b[A-Za-z]\b/g) ?? []
    return new Set(letters.map((letter) => letter.toLowerCase()).filter((letter) => variables.has(letter)))
  })
  const uses = new Map<string, number>()
  for (const letters of found) for (const letter of letters) uses.set(letter, (uses.get(letter) ?? 0) + 1)
  const total = definitions.length
  return found.map((letters) => {
    let score = 0
    for (const letter of letters) {
      const n = uses.get(letter) ?? 0
      score += Math.log(1 + (total - n + 0.5) / (n + 0.5))
    }
    return score
  })
}

/** Indexes of terms that may occur inside a name. */
const termsInsideNames = (goal: Goal): number[] =>
  goal.terms.flatMap(({ kind, text }, i) => (kind === 'exact' || text.length < SHORTEST_INSIDE ? [] : [i]))

function signatureCounts(
  text: string,
  definition: Definition,
  goal: Goal,
  inside: readonly number[],
): number[] | undefined {
  const { counts } = countTerms(
    text,
    goal,
    definition.start,
    Math.max(definition.start, definition.bodyStart),
  )
  const name = definition.name.toLowerCase()
  const parts: string[] = []
  for (const word of wordsOf(definition.name))
    for (const part of partsOf(word)) if (part.length >= 3) parts.push(part.toLowerCase())
  let found = counts
  for (const i of inside) {
    if ((found?.[i] ?? 0) > 0) continue
    const term = goal.terms[i]?.text ?? ''
    if (!name.includes(term) && !startsWithOne(term, parts)) continue
    found ??= noCounts(goal.terms.length)
    found[i] = Math.fround(WEIGHTS.insideName)
  }
  return found
}

function startsWithOne(term: string, parts: readonly string[]): boolean {
  for (const part of parts) if (term.startsWith(part)) return true
  return false
}
