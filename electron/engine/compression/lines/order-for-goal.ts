import type { Goal } from '../rank/goal.ts'
import type { PrintedLine, Spending } from './fill-budget.ts'
import type { LinePrinter } from './print-line.ts'
import { linesByKind, type ReadKinds } from './read-kinds.ts'
import type { LineScores } from './score-lines.ts'
import { parentIn, type Sections } from './sections.ts'
import { FAILING } from './severity.ts'
import { Heap } from '../../ground/heap.ts'

/** Value of a kind's further lines against its first. */
const FADE = 0.6
const COST_EXPONENT = 0.15
const SHORTEST = 20
const LONGEST = 500
/** Share of the tokens for failing and once-seen kinds that the goal does not name. */
const RESERVE = 0.13
const LONGEST_RESERVED = 180
/** So few failing kinds come first, whatever the goal. */
const FEW_FAILING = 3
const LONGEST_URGENT = 320
const MOST_PARENTS = 3
const FADED = 1e-6

/** Best first; lines of failing and of once-seen kinds come in between at a fixed share. */
export function* orderForGoal(
  read: ReadKinds,
  { base, cover, extreme }: LineScores,
  printer: LinePrinter,
  goal: Goal,
  sections: Sections | undefined,
  spending: Spending,
): Generator<PrintedLine> {
  const { kinds, lines } = read
  const shown = new Uint32Array(kinds.length)
  const taken = new Set<number>()
  const byKind = linesByKind(read)
  const linesOf = (kind: number): readonly number[] => byKind.get(kind) ?? []
  const belowOf = (line: number): number => parentIn(read, sections, line)
  const print = (line: number, text: string): PrintedLine => {
    const kind = read.kindOf(line)
    const own = kinds[kind]
    const count = own?.count ?? 1
    // A prefix that is printed may be this line's alone.
    const isLike = own === undefined || own.isVaried || text.trim() !== printer.shared(own).trim()
    const isFirst = shown[kind] === 0 && count > 1 && !isFigure(text)
    // Others of its kind may lack what the goal asks for: an address among requests.
    const has = (each: number): boolean =>
      read.kindOf(each) === kind && (cover[each] ?? 0) >= (cover[line] ?? 0)
    shown[kind] = (shown[kind] ?? 0) + 1
    taken.add(line)
    const printed: PrintedLine = { line, text, below: belowOf(line) }
    if (!isFirst) return printed
    const isSpread = linesOf(kind).some((each) => has(each) && belowOf(each) !== belowOf(line))
    return {
      ...printed,
      represents: {
        lines: linesOf(kind).filter(has).length,
        has,
        isEqual: !isLike,
        isSpread,
        isShared: false,
      },
    }
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
  /** What names the line's section. */
  function* openerOf(line: number): Generator<PrintedLine> {
    const opener = sections?.openerOf(line) ?? -1
    if (sections === undefined || opener < 0 || taken.has(opener) || opener === line) return
    taken.add(opener)
    yield { line: opener, text: printer.hit(opener) }
  }
  /** What a line is below, outermost first. */
  function* parentsOf(line: number): Generator<PrintedLine> {
    const above: number[] = []
    for (let each = read.parentOf(line); each >= 0 && above.length < MOST_PARENTS; each = read.parentOf(each))
      if (!taken.has(each)) above.unshift(each)
    for (const each of above) {
      taken.add(each)
      yield { line: each, text: printer.hit(each), below: each }
    }
  }
  let reserved = 0
  function* reserve(from: number[]): Generator<PrintedLine> {
    for (let kind = from.pop(); kind !== undefined; kind = from.pop()) {
      const line = best[kind] ?? 0
      if (shown[kind] !== 0) continue
      const before = spending.tokens
      yield* openerOf(line)
      yield* parentsOf(line)
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
  const heap = new Heap()
  const valueOf = (line: number, times: number): number => {
    const length = Math.max(SHORTEST, Math.min(LONGEST, lines.end(line) - read.bodyStart(line)))
    return ((base[line] ?? 0) * FADE ** times + (extreme.get(line) ?? 0)) / length ** COST_EXPONENT
  }
  for (let line = 0; line < lines.count; line++) heap.push(valueOf(line, 0), line)
  while (heap.size > 0) {
    const before = heap.topRank
    const line = heap.pop()
    if (taken.has(line)) continue
    const times = shown[read.kindOf(line)] ?? 0
    const value = valueOf(line, times)
    if (value < before * (1 - FADED)) {
      if (value > FADED) heap.push(value, line)
      continue
    }
    yield* openerOf(line)
    yield* parentsOf(line)
    yield print(line, printer.hit(line))
    while (reserved < RESERVE * spending.tokens && (failing.length > 0 || once.length > 0)) {
      const before = failing.length + once.length
      yield* reserve(failing.length > 0 && (turn++ % 3 < 2 || once.length === 0) ? failing : once)
      if (failing.length + once.length === before) break
    }
  }
}

/** A name and its number: one for several of them would be false of the others. */
const isFigure = (text: string): boolean => FIGURE.test(text)
const FIGURE = /^\s*\p{L}[^:=\d]{0,40}[:=]\s*[-+]?[\d.,]+\s?[\p{L}%/]{0,8}$/u

function bestOfKinds(read: ReadKinds, base: Float64Array): Int32Array {
  const best = new Int32Array(read.kinds.length).fill(-1)
  for (let line = 0; line < read.lines.count; line++) {
    const kind = read.kindOf(line)
    const known = best[kind] ?? -1
    if (known < 0 || (base[line] ?? 0) > (base[known] ?? 0)) best[kind] = line
  }
  return best
}
