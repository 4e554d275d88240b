import type { Goal } from '../rank/goal.ts'
import type { PrintedLine, Spending } from './fill-budget.ts'
import type { LinePrinter } from './print-line.ts'
import type { ReadKinds } from './read-kinds.ts'
import type { LineScores } from './score-lines.ts'
import type { Sections } from './sections.ts'
import { FAILING } from './severity.ts'
import { groupDigits } from '../group-digits.ts'

/** Value of a kind's further lines against its first. */
const FADE = 0.6
const COST_EXPONENT = 0.15
const SHORTEST = 20
const LONGEST = 500
/** Share of the tokens for failing and once-seen kinds that the goal does not name. */
const RESERVE = 0.13
/** So few failing kinds come first, whatever the goal. */
const FEW_FAILING = 3
const LONGEST_RESERVED = 180
const LONGEST_URGENT = 320
/** No kind has this many lines while one of the worst failing kinds has none. */
const MANY_LINES = 3
/** Sections whose heading is printed whole where a name or a date is asked for. */
const WHOLE_HEADINGS = 4
const FADED = 1e-6

/** Best first; lines of failing and of once-seen kinds come in between at a fixed share. */
export function* orderForGoal(
  read: ReadKinds,
  { base, extreme }: LineScores,
  printer: LinePrinter,
  goal: Goal,
  sections: Sections | undefined,
  spending: Spending,
): Generator<PrintedLine> {
  const { kinds, lines } = read
  const shown = new Uint32Array(kinds.length)
  const taken = new Set<number>()
  const print = (line: number, text: string): PrintedLine => {
    const kind = read.kindOf(line)
    const count = kinds[kind]?.count ?? 1
    const times = shown[kind] === 0 && count > 1 ? `×${groupDigits(count)} ` : ''
    shown[kind] = (shown[kind] ?? 0) + 1
    taken.add(line)
    return { line, text: times + text }
  }
  const best = bestOfKinds(read, base)
  const rank = (kind: number): number => {
    const own = kinds[kind]
    return (base[best[kind] ?? 0] ?? 0) + (own === undefined ? 0 : own.severity / Math.sqrt(own.count))
  }
  // Best last, so that taking one is cheap.
  const all = kinds.map((_, kind) => kind)
  const failing = all
    .filter((kind) => (kinds[kind]?.severity ?? 0) >= FAILING)
    .sort((a, b) => rank(a) - rank(b) || b - a)
  const once = all
    .filter((kind) => kinds[kind]?.count === 1 && (kinds[kind]?.severity ?? 0) < FAILING)
    .sort((a, b) => rank(a) - rank(b) || b - a)
  const urgent = failing.slice(-FEW_FAILING)
  let headings = goal.askedTypes.has('name') || goal.askedTypes.has('date') ? WHOLE_HEADINGS : 0
  /** What names the line's section; dates and names below a commit, where the line is a hit. */
  function* openerOf(line: number, isHit: boolean): Generator<PrintedLine> {
    const opener = sections?.openerOf(line) ?? -1
    if (sections === undefined || opener < 0 || taken.has(opener) || opener === line) return
    for (const each of isHit && headings-- > 0 ? sections.headingOf(opener) : [opener])
      if (!taken.has(each) && each !== line) {
        taken.add(each)
        yield { line: each, text: printer.hit(each) }
      }
  }
  let reserved = 0
  function* reserve(from: number[]): Generator<PrintedLine> {
    for (let kind = from.pop(); kind !== undefined; kind = from.pop()) {
      const line = best[kind] ?? 0
      if (shown[kind] !== 0) continue
      const before = spending.tokens
      yield* openerOf(line, false)
      yield print(
        line,
        from === urgent ? printer.dated(line, LONGEST_URGENT) : printer.brief(line, LONGEST_RESERVED),
      )
      reserved += spending.tokens - before
      return
    }
  }

  if (failing.length <= FEW_FAILING) for (const _ of failing) yield* reserve(urgent)
  let turn = 0
  const heap = new LineHeap()
  for (let line = 0; line < lines.count; line++) {
    const length =
      Math.min(LONGEST, Math.max(SHORTEST, lines.end(line) - read.bodyStart(line))) ** COST_EXPONENT
    const fixed = (extreme.get(line) ?? 0) / length
    heap.add({ line, value: (base[line] ?? 0) / length + fixed, fading: (base[line] ?? 0) / length, fixed })
  }
  heap.build()
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    const { line, fading, fixed } = next
    if (taken.has(line)) continue
    const kind = read.kindOf(line)
    const times = shown[kind] ?? 0
    const value = fading * FADE ** times + fixed
    if (value < next.value * (1 - FADED)) {
      if (value > FADED) heap.push({ ...next, value })
      continue
    }
    if (times + 1 >= MANY_LINES && urgent.some((each) => shown[each] === 0)) yield* reserve(urgent)
    yield* openerOf(line, true)
    yield print(line, printer.hit(line))
    while (reserved < RESERVE * spending.tokens && (failing.length > 0 || once.length > 0)) {
      const before = failing.length + once.length
      yield* reserve(failing.length > 0 && (turn++ % 3 < 2 || once.length === 0) ? failing : once)
      if (failing.length + once.length === before) break
    }
  }
}

function bestOfKinds(read: ReadKinds, base: Float64Array): Int32Array {
  const best = new Int32Array(read.kinds.length).fill(-1)
  for (let line = 0; line < read.lines.count; line++) {
    const kind = read.kindOf(line)
    const known = best[kind] ?? -1
    if (known < 0 || (base[line] ?? 0) > (base[known] ?? 0)) best[kind] = line
  }
  return best
}

interface Candidate {
  readonly line: number
  readonly value: number
  readonly fading: number
  readonly fixed: number
}

/** Largest value first, ties in source order. */
class LineHeap {
  readonly #items: Candidate[] = []

  add(item: Candidate): void {
    this.#items.push(item)
  }

  build(): void {
    for (let i = (this.#items.length >> 1) - 1; i >= 0; i--) this.#sink(i)
  }

  push(item: Candidate): void {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent]
      if (above === undefined || !isBefore(item, above)) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  pop(): Candidate | undefined {
    const items = this.#items
    const [first] = items
    const last = items.pop()
    if (items.length > 0 && last !== undefined) {
      items[0] = last
      this.#sink(0)
    }
    return first
  }

  #sink(from: number): void {
    const items = this.#items
    const item = items[from]
    if (item === undefined) return
    let at = from
    for (;;) {
      let child = 2 * at + 1
      const [left, right] = [items[child], items[child + 1]]
      if (left === undefined) break
      if (right !== undefined && isBefore(right, left)) child++
      const lower = items[child]
      if (lower === undefined || !isBefore(lower, item)) break
      items[at] = lower
      at = child
    }
    items[at] = item
  }
}

const isBefore = (a: Candidate, b: Candidate): boolean =>
  a.value > b.value || (a.value === b.value && a.line < b.line)
