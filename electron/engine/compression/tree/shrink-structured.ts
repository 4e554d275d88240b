import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Goal } from '../rank/goal.ts'
import { goalFor } from '../rank/asked-lack.ts'
import { countUpTo } from '../../text/tokens/count-tokens.ts'
import { isMarkTaken, markNameFor } from '../structured-half.ts'
import type { ShrinkStructuredInput, ShrunkStructured } from '../structured-half.ts'
import { estimateTokens } from '../../text/tokens/estimate-tokens.ts'
import { firstTokens } from '../../text/tokens/first-tokens.ts'
import { looksOpaque } from '../records/opaque.ts'
import { findLeaves, type JsonLeaves, pathOf } from '../../text/tree/find-leaves.ts'
import { createShortener, type CutReport, type Cuts, type Shortener } from './create-shortener.ts'
import { childrenOf, endOf, keyOf, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import { depthOf } from '../lossless/value-ids.ts'
import { parseJson } from '../../text/tree/parse-json.ts'
import { sayCuts } from './say-cuts.ts'
import { isLikeMap, MAP_MEMBERS } from './is-like-map.ts'
import { ASKED, longestList, worthOfNodes } from './worth-of-nodes.ts'

interface ShrinkInput extends Pick<ShrinkStructuredInput, 'json' | 'goal' | 'budget'> {
  /** Validates against outputSchema. */
  readonly isValid: (value: JsonObject) => boolean
  readonly resultId?: string | undefined
}

type Shrunk = Omit<ShrunkStructured, 'tokens'>

interface Field {
  readonly path: number
  /** Empty, a link, hash and the like. */
  readonly isNoise: boolean
  /** Contains the best fit for the goal. */
  readonly isAsked: boolean
}

/** The builder is recursive. */
const DEEPEST = 200
const STRING_LENGTHS = [2000, 600, 200, 80]
/** Elements per list worth shortening strings and omitting fields for. */
const FAIR_ELEMENTS = 5
/** Tokens never average more. */
const MOST_CHARACTERS = 24
const MOST_TRIES = 120
/** Tokens; its text is clipped. */
const MARK_TOKENS = 100
const EVERYTHING: Cuts = {
  elements: Infinity,
  longest: Infinity,
  dropped: new Set(),
  rigid: new Set(),
  maps: new Set(),
}

/**
 * Shortens `structuredContent` within its schema: lists and maps keep their best elements, long strings the passages
 * that fit the goal; fields the schema doesn't need are dropped last. A separate field, when allowed, and `said`
 * describe the cut. The schema is known only through `isValid`. Undefined when nothing valid fits the budget, or the
 * server uses the mark's name and the schema allows no other.
 */
export function shrinkStructured({ json, goal, budget, isValid, resultId }: ShrinkInput): Shrunk | undefined {
  const document = parseJson(json)
  if (document === undefined || depthOf(document) > DEEPEST) return undefined
  const leaves = findLeaves(document)
  const query = goal === undefined || goal.trim() === '' ? undefined : goalFor(goal, leaves)
  const shrink = (tokens: number): Shrunk | undefined =>
    new Shrinker(leaves, query, tokens, isValid).shrink(json)
  const whole: unknown = JSON.parse(json)
  // Its texts may already be short forms with headers, which a further cut would make false.
  if (countUpTo(json, budget) <= budget && isJsonObject(whole) && isValid(whole))
    return { json, shownText: undefined }
  if (!isJsonObject(whole)) return undefined
  const mark = markNameFor(whole)
  if (budget > 2 * MARK_TOKENS && isValid({ [mark]: 'x', ...whole })) {
    const shrunk = shrink(budget - MARK_TOKENS)
    const marked = shrunk && withMark(shrunk, mark, resultId)
    if (marked && countUpTo(marked.json, budget) <= budget && isValid(JSON.parse(marked.json) as JsonObject))
      return marked
  }
  // Otherwise the server's field would pass for Sluice's mark.
  return isMarkTaken(whole) ? undefined : shrink(budget)
}

function withMark(shrunk: Shrunk, mark: string, resultId: string | undefined): Shrunk {
  const { json, shownText } = shrunk
  if (shownText === undefined) return shrunk
  const id = resultId === undefined ? '' : `All of it: result ${resultId}. `
  const words = firstTokens(`Shortened. ${id}${shownText}`, MARK_TOKENS - 20)
  const rest = json === '{}' ? '}' : `,${json.slice(1)}`
  return { json: `{${JSON.stringify(mark)}:${JSON.stringify(words)}${rest}`, shownText }
}

class Shrinker {
  readonly #leaves: JsonLeaves
  readonly #build: Shortener
  readonly #budget: number
  readonly #isValid: (value: JsonObject) => boolean
  readonly #worth: Float64Array
  #longestList: number

  constructor(
    leaves: JsonLeaves,
    goal: Goal | undefined,
    budget: number,
    isValid: (value: JsonObject) => boolean,
  ) {
    this.#leaves = leaves
    this.#budget = budget
    this.#isValid = isValid
    this.#worth = worthOfNodes(leaves, goal)
    this.#build = createShortener(leaves, goal, (node) => this.#worth[node] ?? 0)
    // An element takes at least one token.
    this.#longestList = Math.min(longestList(leaves), Math.max(1, Math.floor(budget)))
  }

  shrink(text: string): Shrunk | undefined {
    if (this.#fits(text) && this.#isValidText(text)) return { json: text, shownText: undefined }
    const maps = this.#mapNodes()
    const rigid = this.#rigidStrings(maps)
    const optional = this.#optionalFields(maps)
    const minor = optional.filter(({ isAsked }) => !isAsked)
    const stages = [
      [],
      minor.filter(({ isNoise }) => isNoise),
      minor.slice(0, minor.length >> 1),
      minor,
      optional,
    ]
    let best: Found | undefined
    for (const [stage, fields] of stages.entries()) {
      // Requested fields are dropped only as a last resort.
      if (stage === stages.length - 1 && best !== undefined) break
      const dropped = new Set(fields.map(({ path }) => path))
      for (const longest of [Infinity, ...STRING_LENGTHS]) {
        const found = this.#mostElements({ ...EVERYTHING, longest, rigid, maps, dropped })
        if (found === undefined || (best !== undefined && found.elements <= best.elements)) continue
        best = found
        if (best.elements >= Math.min(FAIR_ELEMENTS, this.#longestList)) return this.#reported(best)
      }
    }
    return best && this.#reported(best)
  }

  #reported({ cuts }: Found): Shrunk {
    const report: CutReport = { lists: new Map(), fields: new Set(), strings: 0 }
    const json = this.#build(cuts, report)
    return { json, shownText: sayCuts(this.#leaves, report) }
  }

  /** The most elements per list that fit: by halving, then between the last two. */
  #mostElements(cuts: Cuts): Found | undefined {
    const attempt = (elements: number): boolean => {
      const text = this.#build({ ...cuts, elements })
      return this.#fits(text) && this.#isValidText(text)
    }
    let tooMany = this.#longestList + 1
    for (let elements = this.#longestList; ; elements >>= 1) {
      if (!attempt(elements)) {
        tooMany = elements
        if (elements === 0) return undefined
        continue
      }
      let best = elements
      while (tooMany - best > 1) {
        const middle = (best + tooMany) >> 1
        if (attempt(middle)) best = middle
        else tooMany = middle
      }
      return { elements: best, cuts: { ...cuts, elements: best } }
    }
  }

  /** Objects with many similar members, some optional by schema: found by trial on a sample. */
  #mapNodes(): Set<number> {
    const { document, paths } = this.#leaves
    const byPath = new Map<number, number[]>()
    for (let node = document.root; node < document.count; node++) {
      if (!isLikeMap(document, node)) continue
      const path = paths[node] ?? 0
      byPath.set(path, [...(byPath.get(path) ?? []), node])
    }
    const maps = new Set<number>()
    for (const nodes of [...byPath.values()].slice(0, MOST_TRIES)) {
      for (const node of nodes) maps.add(node)
      if (this.#isSampleValid({ ...EVERYTHING, maps, elements: 2 })) continue
      if (this.#isSampleValid({ ...EVERYTHING, maps, elements: MAP_MEMBERS - 1 })) continue
      for (const node of nodes) maps.delete(node)
    }
    for (const node of maps) {
      const members = Math.min(childrenOf(document, node).length, Math.max(1, Math.floor(this.#budget)))
      this.#longestList = Math.max(this.#longestList, members)
    }
    return maps
  }

  /** Paths of strings that the schema doesn't allow to shorten (enum, pattern, date): found by trial on a sample. */
  #rigidStrings(maps: ReadonlySet<number>): Set<number> {
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
    const sample = { ...EVERYTHING, maps, elements: this.#sampleSize(maps), longest: shortest }
    if (this.#isSampleValid(sample)) return new Set([...candidates].slice(MOST_TRIES))
    const rigid = new Set(candidates)
    for (const path of all) {
      rigid.delete(path)
      if (!this.#isSampleValid({ ...sample, rigid })) rigid.add(path)
    }
    return rigid
  }

  /** Fields optional by schema, least valuable first: found by omitting each from a sample. */
  #optionalFields(maps: ReadonlySet<number>): Field[] {
    const fields = this.#fields(maps)
    const elements = this.#sampleSize(maps)
    const optional: Field[] = []
    const dropped = new Set<number>()
    for (const field of fields.slice(0, MOST_TRIES)) {
      dropped.add(field.path)
      if (!this.#isSampleValid({ ...EVERYTHING, maps, elements, dropped })) dropped.delete(field.path)
      else optional.push(field)
    }
    return optional
  }

  /** Without map members, least valuable first. */
  #fields(maps: ReadonlySet<number>): Field[] {
    const { document, paths } = this.#leaves
    const worths = new Map<number, number>()
    const readable = new Set<number>()
    const isOpaque = (node: number): boolean =>
      looksOpaque(document.text, document.starts[node] ?? 0, document.stops[node] ?? 0)
    for (let node = document.root + 1; node < document.count; node++) {
      if (keyOf(document, node) < 0 || maps.has(parentOf(document, node))) continue
      const path = paths[node] ?? 0
      worths.set(path, Math.max(worths.get(path) ?? -Infinity, this.#worth[node] ?? 0))
      const isValue = kindOf(document, node) < NODE.null && !isOpaque(node)
      if (endOf(document, node) > node + 1 || isValue) readable.add(path)
    }
    let best = 0
    for (const worth of worths.values()) best = Math.max(best, worth)
    return [...worths]
      .sort((a, b) => a[1] - b[1] || b[0] - a[0])
      .map(([path, worth]) => ({
        path,
        isNoise: !readable.has(path),
        isAsked: best > 0 && worth >= ASKED * best,
      }))
  }

  /** Few elements keep trials cheap; at least as many as the schema requires. */
  #sampleSize(maps: ReadonlySet<number>): number {
    for (const elements of [2, 8, 32])
      if (this.#isSampleValid({ ...EVERYTHING, maps, elements })) return elements
    return this.#longestList
  }

  #fits(text: string): boolean {
    if (text.length > this.#budget * MOST_CHARACTERS) return false
    return estimateTokens(text) <= this.#budget * 1.3 && countUpTo(text, this.#budget) <= this.#budget
  }

  #isSampleValid(cuts: Cuts): boolean {
    return this.#isValidText(this.#build(cuts))
  }

  #isValidText(text: string): boolean {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && this.#isValid(value)
  }
}

interface Found {
  readonly elements: number
  readonly cuts: Cuts
}
