import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject } from '../../protocol/json-rpc.ts'
import { parseGoal } from '../relevance/goal.ts'
import { countUpTo } from '../tokens/count-tokens.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { groupByPath } from './columns.ts'
import { isMachinery } from './field-names.ts'
import { findLeaves, isEmpty, labelOf, pathOf } from './find-leaves.ts'
import type { JsonLeaves } from './find-leaves.ts'
import { createShortener } from './create-shortener.ts'
import type { Cuts, Shortener } from './create-shortener.ts'
import { fitGoal } from './fit-goal.ts'
import type { FittedGoal } from './fit-goal.ts'
import { endOf, isContainer, keyOf, kindOf, NODE, parentOf } from './json-document.ts'
import { depthOf } from './lossless/value-ids.ts'
import { parseJson } from './parse-json.ts'
import { scoreForGoal } from './score-for-goal.ts'

export interface ShrinkInput {
  readonly value: JsonObject
  readonly goal: string | undefined
  /** Tokens (o200k_base) of the value as JSON. */
  readonly budget: number
  /** Whether a value still satisfies the tool's outputSchema. */
  readonly isValid: (value: JsonObject) => boolean
}

interface Field {
  readonly path: number
  /** Always empty, or a link, a hash and the like. */
  readonly isNoise: boolean
  /** Holds what fits the goal best. */
  readonly isAsked: boolean
}

/** Deeper values are not shortened: the builder is recursive. */
const DEEPEST = 200
const STRING_LENGTHS = [2000, 600, 200, 80]
/** So many elements of each list are worth shortening strings and leaving fields out for. */
const FAIR_ELEMENTS = 5
/** Fields whose best value has this share of the best of all are what the goal asks for. */
const ASKED = 0.7
/** A token is never longer on the average. */
const MOST_CHARACTERS = 24
/** Fields tried one by one whether they may be left out. */
const MOST_TRIES = 120
const EVERYTHING: Cuts = { elements: Infinity, longest: Infinity, dropped: new Set(), rigid: new Set() }

/**
 * Shortens an MCP `structuredContent` so that it still satisfies its schema: lists keep their best elements, long strings
 * the passages that fit the goal, fields the schema does not need go last. The schema is only known through `isValid`.
 * Undefined when nothing valid within the budget was found.
 */
export function shrinkStructured({ value, goal, budget, isValid }: ShrinkInput): JsonObject | undefined {
  const text = JSON.stringify(value)
  const document = parseJson(text)
  if (document === undefined || depthOf(document) > DEEPEST) return undefined
  const leaves = findLeaves(document)
  const query = goal === undefined || goal.trim() === '' ? undefined : fitGoal(parseGoal(goal), document)
  return new Shrinker(leaves, query, budget, isValid).shrink(text)
}

class Shrinker {
  readonly #leaves: JsonLeaves
  readonly #build: Shortener
  readonly #budget: number
  readonly #isValid: (value: JsonObject) => boolean
  readonly #worth: Float64Array
  readonly #longestList: number

  constructor(
    leaves: JsonLeaves,
    goal: FittedGoal | undefined,
    budget: number,
    isValid: (value: JsonObject) => boolean,
  ) {
    this.#leaves = leaves
    this.#budget = budget
    this.#isValid = isValid
    this.#worth = worthOfNodes(leaves, goal)
    this.#build = createShortener(leaves, goal, (node) => this.#worth[node] ?? 0)
    // An element takes a token at the least.
    this.#longestList = Math.min(longestList(leaves), Math.max(1, Math.floor(budget)))
  }

  shrink(text: string): JsonObject | undefined {
    const whole = this.#read(text)
    if (whole !== undefined && this.#fits(text)) return whole
    const rigid = this.#rigidStrings()
    const optional = this.#optionalFields()
    const minor = optional.filter(({ isAsked }) => !isAsked)
    const stages = [
      [],
      minor.filter(({ isNoise }) => isNoise),
      minor.slice(0, minor.length >> 1),
      minor,
      optional,
    ]
    let best: { elements: number; value: JsonObject } | undefined
    for (const [stage, fields] of stages.entries()) {
      // What the goal asks for goes only when there is no other way.
      if (stage === stages.length - 1 && best !== undefined) break
      const dropped = new Set(fields.map(({ path }) => path))
      for (const longest of [Infinity, ...STRING_LENGTHS]) {
        const found = this.#mostElements({ ...EVERYTHING, longest, rigid, dropped })
        if (found === undefined || (best !== undefined && found.elements <= best.elements)) continue
        best = found
        if (best.elements >= Math.min(FAIR_ELEMENTS, this.#longestList)) return best.value
      }
    }
    return best?.value
  }

  /** With as many elements in each list as fit: halves first, then between the last two. */
  #mostElements(cuts: Cuts): { elements: number; value: JsonObject } | undefined {
    const attempt = (elements: number): JsonObject | undefined => {
      const text = this.#build({ ...cuts, elements })
      return this.#fits(text) ? this.#read(text) : undefined
    }
    let tooMany = this.#longestList + 1
    for (let elements = this.#longestList; ; elements >>= 1) {
      const value = attempt(elements)
      if (value === undefined) {
        tooMany = elements
        if (elements === 0) return undefined
        continue
      }
      let best = { elements, value }
      while (tooMany - best.elements > 1) {
        const middle = (best.elements + tooMany) >> 1
        const more = attempt(middle)
        if (more === undefined) tooMany = middle
        else best = { elements: middle, value: more }
      }
      return best
    }
  }

  /** Paths of strings that the schema does not allow to be shortened (enum, pattern, date): found by trying on a sample. */
  #rigidStrings(): Set<number> {
    const { document } = this.#leaves
    const [shortest = 80] = STRING_LENGTHS.slice(-1)
    const candidates = new Set<number>()
    for (let leaf = 0; leaf < this.#leaves.count; leaf++) {
      const node = this.#leaves.nodes[leaf] ?? 0
      if (
        kindOf(document, node) === NODE.string &&
        (document.stops[node] ?? 0) - (document.starts[node] ?? 0) > shortest
      )
        candidates.add(pathOf(this.#leaves, leaf))
    }
    const all = [...candidates].slice(0, MOST_TRIES)
    const sample = { ...EVERYTHING, elements: this.#sampleSize(), longest: shortest }
    if (this.#read(this.#build(sample)) !== undefined) return new Set([...candidates].slice(MOST_TRIES))
    const rigid = new Set(candidates)
    for (const path of all) {
      rigid.delete(path)
      if (this.#read(this.#build({ ...sample, rigid })) === undefined) rigid.add(path)
    }
    return rigid
  }

  /** Fields the schema can do without, least worth first: found by leaving each out of a sample. */
  #optionalFields(): Field[] {
    const fields = this.#fields()
    const elements = this.#sampleSize()
    const optional: Field[] = []
    const dropped = new Set<number>()
    for (const field of fields.slice(0, MOST_TRIES)) {
      dropped.add(field.path)
      if (this.#read(this.#build({ ...EVERYTHING, elements, dropped })) === undefined)
        dropped.delete(field.path)
      else optional.push(field)
    }
    return optional
  }

  /** All named paths, least worth first. */
  #fields(): Field[] {
    const { document, paths } = this.#leaves
    const worths = new Map<number, number>()
    const filled = new Set<number>()
    for (let node = document.root + 1; node < document.count; node++) {
      if (keyOf(document, node) < 0) continue
      const path = paths[node] ?? 0
      worths.set(path, Math.max(worths.get(path) ?? -Infinity, this.#worth[node] ?? 0))
      if (endOf(document, node) > node + 1 || kindOf(document, node) < NODE.null) filled.add(path)
    }
    let best = 0
    for (const worth of worths.values()) best = Math.max(best, worth)
    return [...worths]
      .sort((a, b) => a[1] - b[1] || b[0] - a[0])
      .map(([path, worth]) => ({
        path,
        isNoise: !filled.has(path) || isMachinery(labelOf(this.#leaves, path)),
        isAsked: best > 0 && worth >= ASKED * best,
      }))
  }

  /** Few elements keep the tries cheap; as many as the schema asks for, where it asks for some. */
  #sampleSize(): number {
    for (const elements of [2, 8, 32])
      if (this.#read(this.#build({ ...EVERYTHING, elements })) !== undefined) return elements
    return this.#longestList
  }

  #fits(text: string): boolean {
    if (text.length > this.#budget * MOST_CHARACTERS) return false
    return estimateTokens(text) <= this.#budget * 1.3 && countUpTo(text, this.#budget) <= this.#budget
  }

  /** The value of a text, where it is valid. */
  #read(text: string): JsonObject | undefined {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && this.#isValid(value) ? value : undefined
  }
}

/** What each node is worth: its best leaf; without a goal the first values, filled ones before empty ones. */
function worthOfNodes(leaves: JsonLeaves, goal: FittedGoal | undefined): Float64Array {
  const { document } = leaves
  const worth = new Float64Array(document.count).fill(-Infinity)
  const scores = goal && scoreForGoal(leaves, groupByPath(leaves), goal)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const plain =
      (isEmpty(leaves, leaf) ? -2 : 0) - (isMachinery(labelOf(leaves, pathOf(leaves, leaf))) ? 1 : 0)
    worth[leaves.nodes[leaf] ?? 0] = scores ? (scores[leaf] ?? 0) : plain
  }
  for (let node = document.count - 1; node > document.root; node--) {
    const parent = parentOf(document, node)
    worth[parent] = Math.max(worth[parent] ?? 0, worth[node] ?? 0)
  }
  return worth
}

function longestList({ document }: JsonLeaves): number {
  const lengths = new Int32Array(document.count)
  let longest = 0
  for (let node = document.root + 1; node < document.count; node++) {
    const parent = parentOf(document, node)
    if (!isContainer(document, parent) || kindOf(document, parent) !== NODE.array) continue
    lengths[parent]!++
    longest = Math.max(longest, lengths[parent] ?? 0)
  }
  return longest
}
