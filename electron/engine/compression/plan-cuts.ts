import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { audienceOf, marksOf } from './block-marks.ts'
import type { TextDocument } from './text-documents.ts'
import { withText } from './result-parts.ts'
import { countTokens } from '../text/tokens/count-tokens.ts'

/** Documents shortened to one text: one, or several that would get too little each. */
export interface Cut {
  readonly documents: readonly TextDocument[]
  readonly budget: number
  /** Properties common to all the documents, for their block. */
  readonly marks?: JsonObject | undefined
}

/** Tokens of a header line and some words: less conveys nothing. */
const LEAST_SHARE = 200

/**
 * Distributes a budget over documents (both in tokens) and decides which to cut to what. Small ones pass; when the
 * others would get too little, they are cut together: those with equal annotations and `_meta`, or all for the same
 * audience. Texts for the user and the model are never joined.
 */
export function planCuts(
  blocks: readonly unknown[],
  documents: readonly TextDocument[],
  sizes: readonly number[],
  budget: number,
): Cut[] {
  const shares = shareBudget(sizes, budget)
  const sizeOf = (index: number): number => sizes[index] ?? 0
  const shareOf = (index: number): number => shares[index] ?? 0
  const at = (indexes: readonly number[]): TextDocument[] =>
    indexes.flatMap((index) => documents[index] ?? [])
  const all = documents.map((_, index) => index)
  const cut = all.filter((index) => shareOf(index) < sizeOf(index))
  const least = cut.length === 1 ? Math.min(LEAST_SHARE, budget / 2) : LEAST_SHARE
  if (cut.every((index) => shareOf(index) >= least))
    return cut.map((index) => ({ documents: at([index]), budget: shareOf(index) }))
  // Uncut documents may use half of the budget; above that, the largest are cut too.
  const isCut = new Set(cut)
  const whole = all.filter((index) => !isCut.has(index))
  let left = budget - whole.reduce((sum, index) => sum + sizeOf(index), 0)
  for (const index of whole.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    if (left * 2 >= budget) break
    isCut.add(index)
    left += sizeOf(index)
  }
  const together = all.filter((index) => isCut.has(index))
  const blockOf = (index: number): unknown => blocks[documents[index]?.parts[0]?.index ?? -1]
  const cutsBy = (marksFor: (block: unknown) => JsonObject): Cut[] => {
    const groups = new Map<string, { marks: JsonObject; indexes: number[]; size: number }>()
    for (const index of together) {
      const marks = marksFor(blockOf(index))
      const key = JSON.stringify(marks)
      const group = groups.get(key) ?? { marks, indexes: [], size: 0 }
      group.indexes.push(index)
      group.size += sizeOf(index)
      groups.set(key, group)
    }
    const parts = [...groups.values()]
    const shared = shareBudget(
      parts.map(({ size }) => size),
      left,
    )
    return parts.flatMap(({ marks, indexes, size }, place): Cut[] => {
      const own = shared[place] ?? 0
      return own < size ? [{ documents: at(indexes), budget: own, marks }] : []
    })
  }
  const alike = cutsBy(marksOf)
  return alike.every((each) => each.budget >= LEAST_SHARE) ? alike : cutsBy(audienceOf)
}

/** Small parts get all they need, large ones equal shares of the rest. Tokens. */
function shareBudget(sizes: readonly number[], budget: number): number[] {
  const order = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size)
  const shares = sizes.map(() => 0)
  order.reduce((left, { size, index }, position) => {
    const share = Math.min(size, Math.floor(left / (order.length - position)))
    shares[index] = share
    return left - share
  }, budget)
  return shares
}

/** For a moved text whose block has other content. */
const ELSEWHERE = '…'
/** Least tokens of an id. */
const ID_TOKENS = 4

const isTextBlock = (block: unknown): boolean => isJsonObject(block) && block['type'] === 'text'

/** Placeholder texts of the remaining blocks, by block index. */
export interface Replacements {
  readonly texts: ReadonlyMap<number, string>
  readonly tokens: number
}

/** Each names its part of the original when half of the budget has room. */
export function replacementsOf(
  blocks: readonly unknown[],
  { documents, budget }: Cut,
  resultId: string,
): Replacements {
  const places = new Map<number, number>()
  if (documents.length > 1)
    for (const { first, parts } of documents)
      for (const [offset, { index }] of parts.entries())
        if (!isTextBlock(blocks[index])) places.set(index, first + offset)
  const room = budget / 2
  if (places.size * ID_TOKENS <= room) {
    const texts = new Map([...places].map(([index, place]) => [index, `${ELSEWHERE} ${resultId}/${place}`]))
    let tokens = 0
    for (const text of texts.values()) tokens += countTokens(text)
    if (tokens <= room) return { texts, tokens }
  }
  return { texts: new Map([...places.keys()].map((index) => [index, ELSEWHERE])), tokens: places.size }
}

/**
 * The blocks with each cut's text: in its document's first block, whose other blocks are removed, or in a new block
 * at the first of several documents. Non-text blocks stay, with placeholders for their texts.
 */
export function withCuts(
  blocks: readonly unknown[],
  cuts: readonly { readonly cut: Cut; readonly text: string; readonly replacements: Replacements }[],
): unknown[] {
  const instead = new Map<number, readonly unknown[]>()
  /** By index: a result may have hundreds of thousands of blocks. */
  const isGone = new Uint8Array(blocks.length)
  for (const { cut, text, replacements } of cuts) {
    const isOne = cut.documents.length === 1
    let isFirst = true
    for (const { parts } of cut.documents)
      for (const { index } of parts) {
        const block = blocks[index]
        // A `resources/read` result has no content block for the text.
        const isContent = !isJsonObject(block) || typeof block['type'] === 'string'
        const stays = isTextBlock(block) ? [] : [withText(block, replacements.texts.get(index) ?? ELSEWHERE)]
        if (!isFirst && stays.length === 0) isGone[index] = 1
        else if (!isFirst) instead.set(index, stays)
        else if (isOne || !isContent) instead.set(index, [withText(block, text)])
        else instead.set(index, [{ type: 'text', text, ...cut.marks }, ...stays])
        isFirst = false
      }
  }
  const changed: unknown[] = []
  for (const [index, block] of blocks.entries()) {
    const others = instead.get(index)
    if (others) changed.push(...others)
    else if (isGone[index] === 0) changed.push(block)
  }
  return changed
}
