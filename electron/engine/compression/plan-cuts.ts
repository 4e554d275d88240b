import { isJsonObject } from '../protocol/json-rpc.ts'
import type { TextDocument } from './joined-texts.ts'
import { withText, type TextPart } from './result-parts.ts'

/** What is shortened to one text: one document, or several that would get too little each. */
export interface Cut {
  readonly documents: readonly TextDocument[]
  readonly budget: number
}

/** Tokens of a header line and some words: with less a document says nothing. */
const LEAST_SHARE = 200

/**
 * Shares a budget out over documents of these sizes (tokens both) and says which are to be cut to what. Small ones pass as they
 * are; where the others would get too little to say anything, they are cut as one.
 */
export function planCuts(
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
  return [{ documents: at(all.filter((index) => isCut.has(index))), budget: left }]
}

/**
 * Shares a budget out over parts of these sizes: small parts get all they need, what they leave goes to the large
 * ones in equal shares. Sizes and budget in tokens.
 */
export function shareBudget(sizes: readonly number[], budget: number): number[] {
  const order = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size)
  const shares = sizes.map(() => 0)
  order.reduce((left, { size, index }, position) => {
    const share = Math.min(size, Math.floor(left / (order.length - position)))
    shares[index] = share
    return left - share
  }, budget)
  return shares
}

/** In place of a text that went into another block, where its own block stays for what else it holds. One token. */
const ELSEWHERE = '…'

const isTextBlock = (block: unknown): boolean => isJsonObject(block) && block['type'] === 'text'

/** The parts of a cut whose blocks stay, though their texts are in another one. */
export const partsLeftEmpty = (blocks: readonly unknown[], { documents }: Cut): readonly TextPart[] =>
  documents.length < 2
    ? []
    : documents.flatMap(({ parts }) => parts).filter(({ index }) => !isTextBlock(blocks[index]))

/**
 * The blocks with each cut's text in them: in the first block of its document, whose other blocks go, or in a block of its own
 * where the first of several documents stood. Whatever is no text block stays where it is. Tokens of what stands in for a
 * text are counted in `partsLeftEmpty`.
 */
export function withCuts(
  blocks: readonly unknown[],
  cuts: readonly { readonly cut: Cut; readonly text: string }[],
): unknown[] {
  const instead = new Map<number, readonly unknown[]>()
  const gone = new Set<number>()
  for (const { cut, text } of cuts) {
    const isOne = cut.documents.length === 1
    let isFirst = true
    for (const { parts } of cut.documents)
      for (const { index } of parts) {
        const block = blocks[index]
        // A resource that is read has no blocks beside it that could hold the text.
        const isContent = !isJsonObject(block) || typeof block['type'] === 'string'
        const stays = isTextBlock(block) ? [] : [withText(block, ELSEWHERE)]
        if (!isFirst && stays.length === 0) gone.add(index)
        else if (!isFirst) instead.set(index, stays)
        else if (isOne || !isContent) instead.set(index, [withText(block, text)])
        else instead.set(index, [{ type: 'text', text }, ...stays])
        isFirst = false
      }
  }
  const changed: unknown[] = []
  for (const [index, block] of blocks.entries()) {
    const others = instead.get(index)
    if (others) changed.push(...others)
    else if (!gone.has(index)) changed.push(block)
  }
  return changed
}
