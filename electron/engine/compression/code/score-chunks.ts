import { bm25, type Scorable } from '../relevance/bm25.ts'
import { addCounts, countTerms } from '../relevance/count-terms.ts'
import type { Goal } from '../relevance/goal.ts'
import type { Chunk } from './chunk-source.ts'
import type { Definition } from './definition.ts'

export interface ChunkScores {
  /** What each chunk is worth, above 0. */
  readonly values: readonly number[]
  /** What naming each definition is worth. */
  readonly names: readonly number[]
}

const WEIGHTS = {
  /** Length normalisation of BM25: a long function must not win by its length. */
  lengthB: 0.6,
  /** How much the signature of a chunk counts besides its own words. */
  signature: 1.5,
  /** A goal word inside a name without a border, "cube" in "iscuber"; share of a whole word. */
  insideName: 0.5,
  /** Earlier chunks win ties. */
  order: 1e-3,
} as const
const SHORTEST_INSIDE = 4

/** Values of chunks and names for the goal; without one, of how often the rest of the text speaks of them. */
export function scoreChunks(
  text: string,
  chunks: readonly Chunk[],
  definitions: readonly Definition[],
  goal: Goal | undefined,
): ChunkScores {
  const own = goal ? scoreForGoal(text, chunks, definitions, goal) : scoreByUse(text, chunks, definitions)
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
  const signatures = definitions.map((definition) => signatureCounts(text, definition, goal))
  const units = chunks.map((chunk): Scorable => {
    const owner = definitions[chunk.owner]
    const context =
      owner && addCounts(addCounts(undefined, signatures[chunk.owner]), signatures[owner.parent])
    return { ...countTerms(text, goal, chunk.start, chunk.end), context }
  })
  return [...bm25(units, goal, { b: WEIGHTS.lengthB, contextWeight: WEIGHTS.signature }).scores]
}

function signatureCounts(text: string, definition: Definition, goal: Goal): Float32Array | undefined {
  const { counts } = countTerms(
    text,
    goal,
    definition.start,
    Math.max(definition.start, definition.bodyStart),
  )
  const name = definition.name.toLowerCase()
  let found = counts
  goal.terms.forEach((term, i) => {
    if (term.kind === 'exact' || term.text.length < SHORTEST_INSIDE || (found?.[i] ?? 0) > 0) return
    if (!name.includes(term.text)) return
    found ??= new Float32Array(goal.terms.length)
    found[i] = WEIGHTS.insideName
  })
  return found
}

/** How often the names that a chunk defines stand anywhere in the text, per definition. */
function scoreByUse(text: string, chunks: readonly Chunk[], definitions: readonly Definition[]): number[] {
  const uses = new Map(definitions.map(({ name }) => [name, 0]))
  for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const known = uses.get(word)
    if (known !== undefined) uses.set(word, known + 1)
  }
  return chunks.map(({ owner }) => {
    const definition = definitions[owner]
    return definition ? Math.log(1 + (uses.get(definition.name) ?? 0)) : 0.5
  })
}
