import { FEATURES } from '../../electron/engine/compression/records/weights.ts'
import { forEachItem } from '../../electron/engine/compression/records/features.ts'
import { endOfPiece, isPiece } from '../../electron/engine/compression/records/items.ts'
import { prepareFeatures } from '../../electron/engine/compression/records/rank-records.ts'
import { readRecords } from '../../electron/engine/compression/records/read-records.ts'
import { seeThrough } from '../../electron/engine/compression/tree/see-through.ts'
import { parseGoal } from '../../electron/engine/compression/rank/goal.ts'
import { softenDenied } from '../../electron/engine/compression/rank/soften-denied.ts'
import { findLeaves, leavesOf } from '../../electron/engine/text/tree/find-leaves.ts'
import { valueOf } from '../../electron/engine/text/tree/json-document.ts'
import { jsonReading } from '../../electron/engine/text/readers/json.ts'
import { readText } from '../../electron/engine/text/readers/registry.ts'
import { parseJson } from '../../electron/engine/text/tree/parse-json.ts'

/** A labelled result of the case bank. */
export interface RankerCase {
  readonly id: string
  readonly family: string
  readonly document: string
  readonly goal: string
  readonly answers: readonly string[]
  readonly evidence: readonly string[]
}

/** Rows of features, those with an answer first. */
export interface Example {
  readonly id: string
  readonly family: string
  readonly rows: Float32Array
  readonly count: number
  readonly positives: number
}

const HARDEST = 150
const RANDOM = 250
const MOST_POSITIVES = 60

export function exampleOf(item: RankerCase, first: Float64Array): Example | undefined {
  const parsed = parseJson(item.document)
  const reading = parsed === undefined ? readText(item.document) : jsonReading(seeThrough(parsed))
  if (reading === undefined) return undefined
  const { document, comments } = reading
  const leaves = findLeaves(document, parsed !== undefined)
  const read = readRecords(leaves)
  const { items } = read
  const goal = softenDenied(parseGoal(item.goal), document.text)
  const input = prepareFeatures(read, goal, comments)
  const size = FEATURES.length
  const all = new Float32Array(items.count * size)
  const scores = new Float64Array(items.count)
  forEachItem(input, (place, row) => {
    all.set(row, place * size)
    let score = 0
    for (let i = 0; i < size; i++) score += row[i]! * first[i]!
    scores[place] = score
  })
  const answers = item.answers.map(plain)
  const textOf = (place: number): string => {
    const leaf = items.leafOf[place] ?? 0
    return isPiece(items, place)
      ? (items.long.get(leaf) ?? '').slice(items.starts[place], endOfPiece(items, place))
      : valueOf(document, leaves.nodes[leaf] ?? 0)
  }
  let positives: number[] = []
  for (let place = 0; place < items.count; place++) {
    const text = plain(textOf(place))
    if (answers.some((answer) => has(text, answer))) positives.push(place)
  }
  if (item.evidence.length > 0 && positives.length > 1) {
    const evidence = item.evidence.map(plain)
    const near = positives.filter((place) => {
      const node = leaves.nodes[items.leafOf[place] ?? 0] ?? 0
      const record = leaves.innerRecords[node] ?? -1
      const outer = leaves.outerRecords[node] ?? -1
      return [record, outer].some((container) => {
        if (container < 0) return false
        const [from, to] = leavesOf(leaves, container)
        for (let leaf = from; leaf < to; leaf++) {
          const text = plain(valueOf(document, leaves.nodes[leaf] ?? 0))
          if (evidence.some((each) => has(text, each))) return true
        }
        return false
      })
    })
    if (near.length > 0) positives = near
  }
  if (positives.length === 0) return undefined
  const isPositive = new Set(positives)
  const chosen = new Set<number>()
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)
  for (const place of order.slice(0, HARDEST)) if (!isPositive.has(place)) chosen.add(place)
  let seed = 7
  for (let i = 0; i < RANDOM; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    const place = seed % items.count
    if (!isPositive.has(place)) chosen.add(place)
  }
  const kept = positives.slice(0, MOST_POSITIVES)
  const rows = [...kept, ...chosen]
  const matrix = new Float32Array(rows.length * size)
  rows.forEach((place, i) => {
    matrix.set(all.subarray(place * size, (place + 1) * size), i * size)
  })
  return { id: item.id, family: item.family, rows: matrix, count: rows.length, positives: kept.length }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase().trim()
const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

function has(text: string, answer: string): boolean {
  if (answer === '') return false
  for (let at = text.indexOf(answer); at >= 0; at = text.indexOf(answer, at + 1)) {
    const isInside = isLetter(text[at - 1]) && isLetter(answer[0])
    if (!isInside && !(isLetter(text[at + answer.length]) && isLetter(answer.at(-1)))) return true
  }
  return false
}
