import { lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { densityOf } from '../../text/blocks/density.ts'
import { kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'

/** Longer values are ranked and shown in pieces: sentences or lines. */
const LONGEST = 420
const LONGEST_DENSE = 140
const USUAL_PIECE = 140
const LONGEST_PIECE = 320

/** What is ranked: leaves, and pieces of long ones. */
export interface Items {
  readonly leaves: JsonLeaves
  readonly count: number
  readonly leafOf: Int32Array
  /** Per leaf: its first item; one more than leaves. */
  readonly firstOf: Int32Array
  /** Per item: where its piece begins in the leaf's value; the next piece begins at its end. */
  readonly starts: Int32Array
  /** Values of leaves with pieces. */
  readonly long: ReadonlyMap<number, string>
}

export function findItems(leaves: JsonLeaves): Items {
  const { document } = leaves
  const long = new Map<number, string>()
  const firstOf = new Int32Array(leaves.count + 1)
  const cuts: number[][] = []
  let count = 0
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    firstOf[leaf] = count++
    const kind = kindOf(document, leaves.nodes[leaf] ?? 0)
    if (lengthOf(leaves, leaf) <= LONGEST_DENSE || (kind !== NODE.string && kind !== NODE.text)) continue
    const value = valueOf(document, leaves.nodes[leaf] ?? 0)
    const density = densityOf(value)
    if (lengthOf(leaves, leaf) * density <= LONGEST) continue
    const pieces = cutInPieces(value, density)
    if (pieces.length < 2) continue
    long.set(leaf, value)
    cuts.push(pieces)
    count += pieces.length - 1
  }
  firstOf[leaves.count] = count
  if (count === leaves.count)
    return { leaves, count, leafOf: firstOf.subarray(0, count), firstOf, starts: new Int32Array(count), long }
  const leafOf = new Int32Array(count)
  const starts = new Int32Array(count)
  let next = 0
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const first = firstOf[leaf] ?? 0
    const end = firstOf[leaf + 1] ?? 0
    leafOf.fill(leaf, first, end)
    if (end > first + 1) starts.set(cuts[next++] ?? [], first)
  }
  return { leaves, count, leafOf, firstOf, starts, long }
}

export const isPiece = ({ firstOf, leafOf }: Items, item: number): boolean => {
  const leaf = leafOf[item] ?? 0
  return (firstOf[leaf + 1] ?? 0) - (firstOf[leaf] ?? 0) > 1
}

/** In the leaf's value. */
export function endOfPiece(items: Items, item: number): number {
  const leaf = items.leafOf[item] ?? 0
  return item + 1 < (items.firstOf[leaf + 1] ?? 0)
    ? (items.starts[item + 1] ?? 0)
    : (items.long.get(leaf)?.length ?? 0)
}

/** Starts of pieces: after a line or sentence once they are long enough, else at a blank. */
function cutInPieces(value: string, density: number): number[] {
  const starts = [0]
  let start = 0
  let blank = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const length = i + 1 - start
    const isBlank = code <= 32
    if (isBlank) blank = i + 1
    const ends = code === LINE || (isBlank && endsSentence(value.charCodeAt(i - 1))) || isFullStop(code)
    if (ends && length >= USUAL_PIECE / density) start = i + 1
    else if (length > LONGEST_PIECE / density && (isBlank || length > LONGEST / density))
      start = blank > start ? blank : cutBeforePair(value, i)
    else continue
    if (start >= value.length) break
    starts.push(start)
  }
  return starts
}

const LINE = 10
const endsSentence = (code: number): boolean => code === 46 || code === 33 || code === 63 || code === 59
/** 。！？ */
const isFullStop = (code: number): boolean => code === 0x3002 || code === 0xff01 || code === 0xff1f

/** Keeps surrogate pairs whole. */
const cutBeforePair = (value: string, at: number): number => {
  const code = value.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

export interface Cut {
  readonly text: string
  readonly isWhole: boolean
}

/** A long leaf's chosen pieces (ascending), `…` for the rest. */
export function joinPieces(items: Items, leaf: number, pieces: readonly number[]): Cut {
  const value = items.long.get(leaf) ?? ''
  const first = items.firstOf[leaf] ?? 0
  const last = (items.firstOf[leaf + 1] ?? 0) - 1
  if (pieces.length === last - first + 1) return { text: value, isWhole: true }
  let text = ''
  let previous = first - 1
  for (const item of pieces) {
    const piece = value.slice(items.starts[item], endOfPiece(items, item))
    text = item === previous + 1 ? text + piece : `${text.trimEnd()}${text === '' ? '… ' : ' … '}${piece}`
    previous = item
  }
  return { text: previous < last ? `${text.trimEnd()} …` : text, isWhole: false }
}
