import { allocate } from '../allocate.ts'
import type { Unit } from '../unit.ts'
import type { Goal } from '../rank/goal.ts'
import { widenGoal } from '../rank/widen-goal.ts'
import { logWordsFor } from './log-words.ts'
import type { MinedLog } from './mine-kinds.ts'
import { makeRenderer } from './render-line.ts'
import { scoreLines } from './score-lines.ts'
import { severityOf } from './severity.ts'
import type { ShownLog } from './show-kinds.ts'
import { dayOf } from './time-span.ts'

/** Shares of the best line's score. */
const WEIGHTS = {
  /** Value of each further line of a kind, relative to the previous. */
  repeat: 0.75,
  mostRepeats: 6,
  /** The first line of a kind, by rarity. */
  rarity: 0.08,
  /** Severe lines, when the goal is about trouble and otherwise. */
  troubleAsked: 0.15,
  trouble: 0.03,
  neighbour: 0.08,
  /** Continuation of a good line: a stack trace, a dump. */
  continuation: 0.4,
  continuationDecay: 0.9,
  /** Log synonyms, relative to goal words. */
  logWords: 0.2,
  costExponent: 0.15,
} as const
const MOST_CANDIDATES = 1500
const MOST_CONTINUATIONS = 30
const LONGEST_BLOCK = 300

/** In document order; undefined when nothing fits. */
export function showForGoal(log: MinedLog, goal: Goal, budget: number): ShownLog | undefined {
  const values = valuesOf(log, goal)
  if (values === undefined) return undefined
  const renderer = makeRenderer(log, { withTime: true, goal })
  const chosen = [...values].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_CANDIDATES)
  const value = new Map(chosen)
  for (const [line] of chosen) {
    const head = headOf(log, line)
    if (head !== line && !value.has(head)) value.set(head, 0)
  }
  const lines = [...value.keys()].sort((a, b) => a - b)
  const days = new DayMarks(log)
  const units: Unit[] = []
  const lineOfUnit: number[] = []
  const place = new Map<number, number>()
  for (const line of lines) {
    const day = days.markBefore(line)
    if (day !== undefined) {
      units.push({ text: day, value: 0 })
      lineOfUnit.push(-1)
      days.place = units.length - 1
    }
    const head = headOf(log, line)
    const needs = [head === line ? undefined : place.get(head), days.place].filter(
      (unit) => unit !== undefined,
    )
    place.set(line, units.length)
    units.push({ text: renderer.brief(line), value: value.get(line) ?? 0, needs })
    lineOfUnit.push(line)
  }
  const shown = allocate(units, { budget, gap: '', costExponent: WEIGHTS.costExponent })
  const printed = shown.taken.map((unit) => lineOfUnit[unit] ?? -1).filter((line) => line >= 0)
  return { text: shown.text, kindsShown: new Set(printed.map((line) => log.kindOf(line))).size }
}

/** Lines show the time of day; logs of several days show the day before its first line. */
class DayMarks {
  place: number | undefined
  readonly #log: MinedLog
  readonly #isNeeded: boolean
  readonly #year: string
  #day: string | undefined

  constructor(log: MinedLog) {
    this.#log = log
    const first = dayOf(log, 0)
    const last = dayOf(log, log.lines.count - 1)
    this.#isNeeded = first !== undefined && last !== undefined && first !== last
    const year = /^\d{4}[-./]/.exec(first ?? '')?.[0] ?? ''
    this.#year = (last ?? '').startsWith(year) ? year : ''
  }

  markBefore(line: number): string | undefined {
    if (!this.#isNeeded || this.#log.isContinuation(line)) return undefined
    const day = dayOf(this.#log, line)
    if (day === undefined || day === this.#day) return undefined
    this.#day = day
    return `${day.slice(this.#year.length)}:`
  }
}

/** Undefined when the goal matches nothing. */
function valuesOf(log: MinedLog, goal: Goal): Map<number, number> | undefined {
  const wide = widenGoal(goal, logWordsFor(goal.words), WEIGHTS.logWords)
  const groups = scoreLines(log, wide).sort(
    (a, b) => b.score - a.score || (a.lines[0] ?? 0) - (b.lines[0] ?? 0),
  )
  const best = groups[0]?.score ?? 0
  if (best <= 0) return undefined
  const values = new Map<number, number>()
  const raise = (line: number, value: number) => {
    if (line >= 0 && line < log.lines.count && value > (values.get(line) ?? 0)) values.set(line, value)
  }
  const usesOfKind = new Map<number, number>()
  const total = log.lines.count
  for (const { kind, score, lines } of groups) {
    for (const line of lines) {
      const uses = usesOfKind.get(kind) ?? 0
      usesOfKind.set(kind, uses + 1)
      const relevance = score * WEIGHTS.repeat ** Math.min(uses, WEIGHTS.mostRepeats)
      const count = log.kinds[kind]?.count ?? 1
      const rarity =
        uses === 0 ? (WEIGHTS.rarity * best * Math.log(1 + total / count)) / Math.log(1 + total) : 0
      raise(line, relevance + rarity + (troubleOf(log, line, goal) * best) / (1 + uses))
      if (score <= 0) break
      raise(line - 1, WEIGHTS.neighbour * score)
      raise(line + 1, WEIGHTS.neighbour * score)
      let follow = WEIGHTS.continuation * relevance
      for (let next = line + 1; next <= line + MOST_CONTINUATIONS && log.isContinuation(next); next++) {
        raise(next, follow)
        follow *= WEIGHTS.continuationDecay
      }
    }
  }
  return values
}

function troubleOf(log: MinedLog, line: number, goal: Goal): number {
  const start = log.messageStart(line)
  const text = log.lines.text.slice(start, Math.min(log.lines.end(line), start + 400))
  const severity = severityOf(text, log.kinds[log.kindOf(line)]?.level)
  if (severity === 0) return 0
  return (goal.speaksOfTrouble ? WEIGHTS.troubleAsked : WEIGHTS.trouble) * (severity === 1 ? 0.7 : 1)
}

/** Where a continuation began; otherwise the line. */
function headOf(log: MinedLog, line: number): number {
  let head = line
  while (head > 0 && line - head < LONGEST_BLOCK && log.isContinuation(head)) head--
  return head
}
