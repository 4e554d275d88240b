import { bm25, type Scorable } from '../../text/words/bm25.ts'
import { addCounts, countTerms, noCounts, partCounter } from '../../text/words/count-terms.ts'
import { type Goal, parseGoal } from '../rank/goal.ts'
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
  /** Inside a name without boundary ("cube" in "iscuber"); relative to a whole word. */
  insideName: 0.5,
  /** Share of the goal in a declaration where a value is asked for, relative to the best score. */
  declaration: 1,
  /** Earlier chunks win ties. */
  order: 1e-3,
} as const
const SHORTEST_INSIDE = 4

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
  return chunks.map((_, i) => (own[i] ?? 0) + WEIGHTS.declaration * best * (declared?.[i] ?? 0))
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
  let found = counts
  for (const i of inside) {
    if ((found?.[i] ?? 0) > 0) continue
    const term = goal.terms[i]?.text ?? ''
    if (!name.includes(term)) continue
    found ??= noCounts(goal.terms.length)
    found[i] = Math.fround(WEIGHTS.insideName)
  }
  return found
}
