import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { audienceOf, marksOf } from './block-marks.ts'
import type { TextDocument } from './text-documents.ts'
import { withText } from './result-parts.ts'
import { countTokens } from '../text/tokens/count-tokens.ts'

/** What is shortened to one text: one document, or several that would get too little each. */
export interface Cut {
  readonly documents: readonly TextDocument[]
  readonly budget: number
  /** What the block of several documents holds beside its text: what all of them agree on. */
  readonly marks?: JsonObject | undefined
}

/** Tokens of a header line and some words: with less a document says nothing. */
const LEAST_SHARE = 200

/**
 * Shares a budget out over documents of these sizes (tokens both) and says which are to be cut to what. Small ones pass as they
 * are; where the others would get too little to say anything, they are cut together: those with equal annotations and `_meta`,
 * or all that are for the same readers. A text for the user is never put together with one for the model.
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
  // What passes whole leaves half of the budget: the largest of it are cut, too.
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

/**
 * Shares a budget out over parts of these sizes: small parts get all they need, what they leave goes to the large
 * ones in equal shares. Sizes and budget in tokens.
 */
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

/** In place of a text that went into another block, where its own block stays for what else it holds. */
const ELSEWHERE = '…'
/** Tokens of an id at the least. */
const ID_TOKENS = 4

const isTextBlock = (block: unknown): boolean => isJsonObject(block) && block['type'] === 'text'

/** What stands in for the texts of blocks that stay, by the blocks' indexes. */
export interface StandIns {
  readonly texts: ReadonlyMap<number, string>
  readonly tokens: number
}

/** For a cut's texts that go into another block: each names its part of the original, where half of the budget has room for that. */
export function standInsOf(
  blocks: readonly unknown[],
  { documents, budget }: Cut,
  resultId: string,
): StandIns {
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
 * The blocks with each cut's text in them: in the first block of its document, whose other blocks go, or in a block of its own
 * where the first of several documents stood. Whatever is no text block stays where it is, with what stands in for its text.
 */
export function withCuts(
  blocks: readonly unknown[],
  cuts: readonly { readonly cut: Cut; readonly text: string; readonly standIns: StandIns }[],
): unknown[] {
  const instead = new Map<number, readonly unknown[]>()
  /** By index: a result may have hundreds of thousands of blocks. */
  const isGone = new Uint8Array(blocks.length)
  for (const { cut, text, standIns } of cuts) {
    const isOne = cut.documents.length === 1
    let isFirst = true
    for (const { parts } of cut.documents)
      for (const { index } of parts) {
        const block = blocks[index]
        // A resource that is read has no blocks beside it that could hold the text.
        const isContent = !isJsonObject(block) || typeof block['type'] === 'string'
        const stays = isTextBlock(block) ? [] : [withText(block, standIns.texts.get(index) ?? ELSEWHERE)]
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
