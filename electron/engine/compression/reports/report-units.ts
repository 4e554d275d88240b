import type { Unit } from '../allocate.ts'
import { bm25 } from '../relevance/bm25.ts'
import { countTerms } from '../relevance/count-terms.ts'
import type { Goal } from '../relevance/goal.ts'
import { classifyLine, durationOf, type LineRole } from './classify-line.ts'

export interface ReportUnits {
  readonly units: readonly Unit[]
  readonly roles: readonly LineRole[]
}

/** What a line of each role is worth by itself; within a failure, its lines are worth less the later they come. */
const VALUES: Readonly<Record<LineRole, number>> = {
  summary: 1,
  failure: 0.9,
  change: 0.8,
  evidence: 0.3,
  location: 0.3,
  warning: 0.4,
  plain: 0.12,
  frame: 0.02,
  noise: 0.01,
  pass: 0,
}
const WEIGHTS = {
  /** Lines below a failure: its message, values, location and code. */
  detail: 0.8,
  detailDecay: 0.94,
  /** The message itself may stand below the code that is quoted. */
  evidenceDecay: 0.985,
  evidence: 1.15,
  location: 1.1,
  foreignFrame: 0.05,
  /** The second, third … warning or failure that differs only in numbers and paths. */
  sameWarning: 0.5,
  sameFailure: 0.93,
  slowest: 0.5,
  goal: 1.5,
  /** What is in a failure that fits the goal belongs to the answer; what passed seldom is one. */
  goalOfHeader: 0.8,
  goalOfPassed: 0.4,
} as const
const SLOWEST = 3
const FEWEST_TIMED = 5
const LONGEST_LINE = 400
const LONGEST_BLOCK = 80
const MOST_UNITS = 60_000
const FILE_HEADER = /^(?:\/|[A-Za-z]:\\|\.{0,2}\/)?[\w@.-]+(?:[/\\][\w@. -]+)*\.\w{1,5}:?$/

/** One unit a line, valued by its role, its place in a failure and the goal. */
export function reportUnits(lines: readonly string[], goal: Goal | undefined): ReportUnits {
  const roles = lines.map((line) => classifyLine(line.slice(0, LONGEST_LINE)))
  const relevance = goal && scoresOf(lines, goal)
  const slowest = slowestOf(lines, roles)
  const seen = new Map<string, number>()
  let header = -1
  let place = 0
  let block = 0
  let blockAsked = 0
  const units = lines.slice(0, MOST_UNITS).map((line, i): Unit => {
    const role = roles[i] ?? 'plain'
    const asked = (relevance?.[i] ?? 0) * WEIGHTS.goal * (role === 'pass' ? WEIGHTS.goalOfPassed : 1)
    const startsBlock = role === 'failure' || role === 'change' || role === 'warning'
    if (startsBlock) {
      header = i
      place = 0
      blockAsked = asked * WEIGHTS.goalOfHeader
      block = VALUES[role] * repeatShare(role, count(seen, `${role} ${kindOf(line)}`))
    } else if (role === 'pass' || role === 'summary' || role === 'noise' || place > LONGEST_BLOCK) header = -1
    else place++

    const inBlock = header >= 0 && !startsBlock
    const detail = inBlock ? detailValue(role, place) : 0
    const own = startsBlock ? block : inBlock ? detail * block : VALUES[role]
    const file = fileHeader(lines, i)
    const needs = inBlock ? [header] : file === undefined ? undefined : [file]
    const slow = slowest.has(i) ? WEIGHTS.slowest : 0
    return { text: cut(line), value: Math.max(own, slow) + Math.max(asked, detail * blockAsked), needs }
  })
  return { units, roles }
}

const repeatShare = (role: LineRole, repeats: number) =>
  (role === 'warning' ? WEIGHTS.sameWarning : WEIGHTS.sameFailure) ** Math.min(repeats, 30)

function detailValue(role: LineRole, place: number): number {
  if (role === 'frame') return WEIGHTS.foreignFrame
  const share = role === 'evidence' ? WEIGHTS.evidence : role === 'location' ? WEIGHTS.location : 1
  return WEIGHTS.detail * share * (role === 'evidence' ? WEIGHTS.evidenceDecay : WEIGHTS.detailDecay) ** place
}

/** Scores from 0 to 1 for the goal. */
function scoresOf(lines: readonly string[], goal: Goal): Float64Array {
  const { scores } = bm25(
    lines.slice(0, MOST_UNITS).map((line) => countTerms(line, goal)),
    goal,
    { b: 0.3 },
  )
  const best = scores.reduce((a, b) => Math.max(a, b), 0)
  return best > 0 ? scores.map((score) => score / best) : scores
}

/** The few lines that took longest, where a report times its lines at all. */
function slowestOf(lines: readonly string[], roles: readonly LineRole[]): ReadonlySet<number> {
  const timed = lines.flatMap((line, i) => {
    const took = roles[i] === 'pass' || roles[i] === 'failure' ? durationOf(line.slice(-60)) : undefined
    return took === undefined ? [] : [{ i, took }]
  })
  if (timed.length < FEWEST_TIMED) return new Set()
  timed.sort((a, b) => b.took - a.took || a.i - b.i)
  return new Set(timed.slice(0, SLOWEST).map(({ i }) => i))
}

/** Linters name the file once and indent what they found in it. */
function fileHeader(lines: readonly string[], line: number): number | undefined {
  if (!/^\s+\d+:\d+\s/.test(lines[line] ?? '')) return undefined
  for (let i = line - 1; i >= 0 && line - i < 200; i--) {
    const above = lines[i] ?? ''
    if (/^\S/.test(above)) return FILE_HEADER.test(above.trim().slice(0, LONGEST_LINE)) ? i : undefined
  }
  return undefined
}

function count(seen: Map<string, number>, key: string): number {
  const before = seen.get(key) ?? 0
  seen.set(key, before + 1)
  return before
}

/** The line without what differs between repeats of the same complaint. */
const kindOf = (line: string) =>
  line
    .slice(0, 160)
    .replace(/\S*[/\\]\S*/g, '*')
    .replace(/\d+/g, '0')

const cut = (line: string) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line)
