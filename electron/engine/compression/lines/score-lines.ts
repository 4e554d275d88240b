import { addCounts, partCounter } from '../../text/words/count-terms.ts'
import { bm25, type Scorable } from '../../text/words/bm25.ts'
import type { Goal } from '../rank/goal.ts'
import { isInTime, type AskedOrder } from '../rank/intent.ts'
import { encodedRuns } from './encoded-runs.ts'
import { scoreExtremes } from './number-columns.ts'
import type { ReadKinds } from './read-kinds.ts'
import { parentIn, type Sections } from './sections.ts'

/** Set by hand; what each earns is in docs/compression-experiments.md. */
const WEIGHTS = {
  own: 1,
  /** Share of the goal's words in the line. */
  cover: 1,
  /** The same of its block. */
  block: 0.3,
  /** Best of the lines around. */
  near: 0.3,
  /** Best of the lines that it is below. */
  parents: 0.4,
  severity: 0.1,
  rare: 0.15,
  tail: 0.1,
  /** The first or last of the lines of a kind that fit as well, where the goal asks for it. */
  end: 0.6,
  extreme: 1,
} as const
const NEAR = 4
const TAIL = 12
const BLOCK_LINES = 60
const BM25_B = 0.75
/** Rules and marks below quoted source say nothing. */
const CONTENT = /[\p{L}\p{N}]/u

export interface LineScores {
  /** Without extremes, which don't fade when their kind repeats. */
  readonly base: Float64Array
  /** Share of the goal's words that a line has. */
  readonly cover: Float64Array
  readonly extreme: ReadonlyMap<number, number>
  /** Some line has a word of the goal, or is extreme as it asks. */
  readonly isFound: boolean
}

export function scoreLines(read: ReadKinds, goal: Goal, sections?: Sections): LineScores {
  const { lines, kinds } = read
  const { text, count } = lines
  const countPart = partCounter(text, goal)
  const counted: Scorable[] = []
  for (let line = 0; line < count; line++) {
    const body = read.bodyStart(line)
    const own = countPart(body, lines.end(line))
    const context = body > lines.start(line) ? countPart(lines.start(line), body).counts : undefined
    counted.push(context === undefined ? own : { ...own, context })
  }
  const { scores, weights, frequencies } = bm25(counted, goal, { b: BM25_B })
  let mass = 0
  for (let term = 0; term < weights.length; term++)
    if ((frequencies[term] ?? 0) > 0) mass += weights[term] ?? 0
  const shareOf = (counts: readonly number[] | undefined): number => {
    if (counts === undefined || mass === 0) return 0
    let sum = 0
    for (let term = 0; term < weights.length; term++) if ((counts[term] ?? 0) > 0) sum += weights[term] ?? 0
    return sum / mass
  }
  let top = 0
  for (const score of scores) top = Math.max(top, score)
  // A goal whose words are everywhere tells little.
  const strength = Math.min(1, mass / Math.log(1 + count / 4))
  const own = new Float64Array(count)
  const base = new Float64Array(count)
  const cover = new Float64Array(count)
  for (let line = 0; line < count; line++) {
    const score = scores[line] ?? 0
    if (score <= 0) continue
    const ofOwn = (strength * score) / top
    cover[line] = shareOf(counted[line]?.counts)
    const ofCover = strength * (cover[line] ?? 0)
    own[line] = (ofOwn + ofCover) / 2
    base[line] = WEIGHTS.own * ofOwn + WEIGHTS.cover * ofCover
  }
  addNear(base, own)
  addParents(base, own, (line) => parentIn(read, sections, line))
  addBlocks(base, read, counted, shareOf)
  for (let line = 0; line < count; line++) {
    const rarity = 1 / Math.sqrt(kinds[read.kindOf(line)]?.count ?? 1)
    const severity = read.severity(line) / 3
    const back = count - line
    base[line] =
      (base[line] ?? 0) +
      WEIGHTS.rare * rarity +
      WEIGHTS.severity * severity * (0.3 + 0.7 * rarity) +
      (back <= TAIL ? WEIGHTS.tail * (1 - back / (TAIL + 4)) : 0)
  }
  for (let line = 0; line < count; line++)
    if (!CONTENT.test(text.slice(read.bodyStart(line), lines.end(line)))) base[line] = 0
  for (const line of encodedRuns(read)) base[line] = 0
  const extreme = scoreExtremes(read, goal)
  if (goal.order !== undefined && isInTime(goal.order)) addEnds(extreme, own, read, goal.order)
  return { base, cover, extreme, isFound: top > 0 || extreme.size > 0 }
}

/** "First" and "last" are places among the lines that fit. */
function addEnds(extreme: Map<number, number>, own: Float64Array, read: ReadKinds, order: AskedOrder): void {
  const best = new Float64Array(read.kinds.length)
  for (let line = 0; line < own.length; line++) {
    const kind = read.kindOf(line)
    best[kind] = Math.max(best[kind] ?? 0, own[line] ?? 0)
  }
  const first = new Map<number, number>()
  const last = new Map<number, number>()
  for (let line = 0; line < own.length; line++) {
    const kind = read.kindOf(line)
    const value = own[line] ?? 0
    if (value === 0 || value < AS_WELL * (best[kind] ?? 0)) continue
    if (!first.has(kind)) first.set(kind, line)
    last.set(kind, line)
  }
  const ends = !order.isCertain ? [first, last] : order.end === 'min' ? [first] : [last]
  for (const lines of ends)
    for (const line of lines.values())
      extreme.set(line, Math.max(extreme.get(line) ?? 0, WEIGHTS.end * (own[line] ?? 0)))
}

const AS_WELL = 0.85

function addNear(base: Float64Array, own: Float64Array): void {
  const near = new Float64Array(own.length)
  for (let line = 0; line < own.length; line++) {
    const value = own[line] ?? 0
    if (value === 0) continue
    for (let far = 1; far <= NEAR; far++) {
      const fromNear = value * (1 - far / (NEAR + 1))
      if (line - far >= 0) near[line - far] = Math.max(near[line - far] ?? 0, fromNear)
      if (line + far < own.length) near[line + far] = Math.max(near[line + far] ?? 0, fromNear)
    }
  }
  for (let line = 0; line < own.length; line++)
    base[line] = (base[line] ?? 0) + WEIGHTS.near * (near[line] ?? 0)
}

function addParents(base: Float64Array, own: Float64Array, parentOf: (line: number) => number): void {
  const best = new Float64Array(own.length)
  for (let line = 0; line < own.length; line++) {
    const parent = parentOf(line)
    if (parent < 0) continue
    best[line] = Math.max(best[parent] ?? 0, own[parent] ?? 0)
    base[line] = (base[line] ?? 0) + WEIGHTS.parents * (best[line] ?? 0)
  }
}

function addBlocks(
  base: Float64Array,
  read: ReadKinds,
  counted: readonly Scorable[],
  cover: (counts: readonly number[] | undefined) => number,
): void {
  const { count } = read.lines
  for (let head = 0; head < count;) {
    let end = head + 1
    while (end < count && read.headOf(end) === head) end++
    if (end - head > 1) {
      let sum: number[] | undefined
      for (let line = head; line < Math.min(end, head + BLOCK_LINES); line++)
        sum = addCounts(sum, counted[line]?.counts)
      const value = cover(sum)
      if (value > 0)
        for (let line = head; line < end; line++)
          base[line] = (base[line] ?? 0) + (WEIGHTS.block * value) / (1 + 0.1 * (line - head))
    }
    head = end
  }
}
