import type { Unit } from '../unit.ts'
import { bm25 } from '../../text/words/bm25.ts'
import { countTerms } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import { classifyLine, durationOf, type LineRole } from './classify-line.ts'
import { isStepFailure, isStepTitle, unwrapLine, type UnwrappedLine } from './unwrap-line.ts'

export interface ReportUnits {
  readonly units: readonly Unit[]
  readonly roles: readonly LineRole[]
}

/** Value of a line by role; lines within a failure lose value with distance. */
const VALUES: Readonly<Record<LineRole, number>> = {
  summary: 1,
  failure: 0.9,
  change: 0.8,
  evidence: 0.3,
  location: 0.3,
  warning: 0.4,
  plain: 0.12,
  frame: 0.02,
  noise: 0,
  pass: 0,
}
const WEIGHTS = {
  /** Below a failure: message, values, location, code. */
  detail: 0.8,
  detailDecay: 0.94,
  /** The message may follow the quoted code. */
  evidenceDecay: 0.985,
  evidence: 1.15,
  location: 1.1,
  foreignFrame: 0.05,
  /** Each further warning or failure that differs only in numbers and paths. */
  sameWarning: 0.5,
  sameFailure: 0.93,
  /** Each further consecutive line that a tool marks as one message: npm error, [ERROR]. */
  sameMark: 0.95,
  /** The last line before a step failed, and each line before that. */
  reason: 0.75,
  reasonDecay: 0.85,
  sameTotal: 0.85,
  slowest: 0.5,
  goal: 1.5,
  /** Goal matches in failures belong to the answer; passed lines seldom do. */
  goalOfHeader: 0.8,
  goalOfPassed: 0.4,
} as const
const SLOWEST = 3
const FEWEST_TIMED = 5
const LONGEST_LINE = 400
const LINE_END = 150
const LONGEST_BLOCK = 80
/** At most this many lines before a failed step's end may state the reason, within this distance. */
const REASON_LINES = 12
const REASON_WITHIN = 400
/** Separator or progress bar. */
const RULE = /([^\w\s])\1{7,}/
const MOST_UNITS = 60_000
const FILE_HEADER = /^(?:\/|[A-Za-z]:\\|\.{0,2}\/)?[\w@.-]+(?:[/\\][\w@. -]+)*\.\w{1,5}:?$/

/** One unit per line, valued by role, place in a failure and goal. */
export function reportUnits(lines: readonly string[], goal: Goal | undefined): ReportUnits {
  const inner = lines.map((line) => unwrapLine(line))
  const roles = withoutUsage(inner, inner.map(roleOf))
  const reasons = reasonsOf(inner)
  const relevance = goal && scoresOf(inner, goal)
  const slowest = slowestOf(lines, roles)
  const seen = new Map<string, number>()
  const places = new Map<string, Place>()
  const titles = new Map<string, number>()
  const units = lines.slice(0, MOST_UNITS).map((line, i): Unit => {
    const role = roles[i] ?? 'plain'
    const { source = '', text = line } = inner[i] ?? {}
    const at = places.get(source) ?? { header: -1, title: -1, place: 0, run: 0, mark: '', block: 0, asked: 0 }
    places.set(source, at)
    // A step that resumes after another's output repeats its title.
    if (isStepTitle(text)) at.title = titles.get(text) ?? i
    if (at.title === i) titles.set(text, i)
    const asked = (relevance?.[i] ?? 0) * WEIGHTS.goal * (role === 'pass' ? WEIGHTS.goalOfPassed : 1)
    const startsBlock = role === 'failure' || role === 'change' || role === 'warning'
    if (startsBlock) {
      const mark = markOf(text)
      at.run = mark !== '' && at.mark === `${role} ${mark}` ? at.run + 1 : 0
      at.mark = `${role} ${mark}`
      at.header = i
      at.place = 0
      at.asked = asked * WEIGHTS.goalOfHeader
      at.block =
        VALUES[role] *
        repeatShare(role, count(seen, `${role} ${kindOf(text)}`)) *
        WEIGHTS.sameMark ** Math.min(at.run, LONGEST_BLOCK)
    } else if (role === 'pass' || role === 'summary' || role === 'noise' || at.place > LONGEST_BLOCK)
      at.header = -1
    else at.place++
    if (!startsBlock && role !== 'noise') at.mark = ''

    const inBlock = at.header >= 0 && !startsBlock
    const detail = inBlock ? detailValue(role, at.place) : 0
    const own = startsBlock
      ? at.block
      : inBlock
        ? detail * at.block
        : VALUES[role] * totalShare(role, text, seen)
    const file = inBlock ? at.header : fileHeader(lines, i)
    const needs = [file, at.title === i || role === 'summary' ? undefined : at.title].filter(
      (need): need is number => need !== undefined && need >= 0,
    )
    const slow = slowest.has(i) ? WEIGHTS.slowest : 0
    const reason = role === 'noise' || role === 'pass' ? 0 : (reasons.get(i) ?? 0)
    return {
      text: cut(line),
      value: Math.max(own, slow, reason) + Math.max(asked, detail * at.asked),
      needs: needs.length === 0 ? undefined : needs,
    }
  })
  return { units, roles }
}

function roleOf({ text, information }: UnwrappedLine): LineRole {
  const role = text === '' ? 'noise' : classifyLine(text.slice(0, LONGEST_LINE))
  return role === 'plain' && information === true ? 'noise' : role
}

const markOf = (text: string): string => text.slice(0, Math.max(0, text.indexOf(' ')))

/** Command-line tools print their whole help after one line about the misuse. */
function withoutUsage(lines: readonly UnwrappedLine[], roles: readonly LineRole[]): readonly LineRole[] {
  const helping = new Map<string, string>()
  return roles.map((role, i) => {
    const { source = '', text = '' } = lines[i] ?? {}
    const mark = markOf(text)
    if (/^\S+ (?:\S+ )?Usage:$/.test(text)) helping.set(source, mark)
    else if (text !== '' && helping.get(source) !== mark) helping.delete(source)
    return helping.has(source) ? 'noise' : role
  })
}

/** State of one source: the failure being printed, and its step. */
interface Place {
  header: number
  title: number
  place: number
  /** Consecutive complaints with the same mark: one message of one tool. */
  run: number
  mark: string
  block: number
  asked: number
}

/** The last lines before a failed step's end state the reason, in any words. */
function reasonsOf(lines: readonly UnwrappedLine[]): ReadonlyMap<number, number> {
  const reasons = new Map<number, number>()
  lines.forEach(({ source, text }, end) => {
    if (!isStepFailure(text)) return
    const step = /^#\d+/.exec(text)?.[0] ?? source
    let worth: number = WEIGHTS.reason
    for (let i = end - 1, seen = 0; i >= 0 && seen < REASON_LINES && end - i < REASON_WITHIN; i--) {
      const line = lines[i]
      if (line === undefined || (step !== '' && line.source !== step)) continue
      if (line.text.trim() === '' || RULE.test(line.text)) continue
      if (isStepTitle(line.text)) break
      reasons.set(i, Math.max(reasons.get(i) ?? 0, worth))
      worth *= WEIGHTS.reasonDecay
      seen++
    }
  })
  return reasons
}

/** The first total of each kind is the most informative: those of each successful module lose value. */
const totalShare = (role: LineRole, text: string, seen: Map<string, number>): number =>
  role === 'summary' ? WEIGHTS.sameTotal ** Math.min(count(seen, `${role} ${kindOf(text)}`), 30) : 1

const repeatShare = (role: LineRole, repeats: number) =>
  (role === 'warning' ? WEIGHTS.sameWarning : WEIGHTS.sameFailure) ** Math.min(repeats, 30)

function detailValue(role: LineRole, place: number): number {
  if (role === 'frame') return WEIGHTS.foreignFrame
  const share = role === 'evidence' ? WEIGHTS.evidence : role === 'location' ? WEIGHTS.location : 1
  return WEIGHTS.detail * share * (role === 'evidence' ? WEIGHTS.evidenceDecay : WEIGHTS.detailDecay) ** place
}

function scoresOf(lines: readonly UnwrappedLine[], goal: Goal): Float64Array {
  const { scores } = bm25(
    lines.slice(0, MOST_UNITS).map(({ text }) => countTerms(text, goal)),
    goal,
    { b: 0.3 },
  )
  const best = scores.reduce((a, b) => Math.max(a, b), 0)
  return best > 0 ? scores.map((score) => score / best) : scores
}

function slowestOf(lines: readonly string[], roles: readonly LineRole[]): ReadonlySet<number> {
  const timed = lines.flatMap((line, i) => {
    const took = roles[i] === 'pass' || roles[i] === 'failure' ? durationOf(line.slice(-60)) : undefined
    return took === undefined ? [] : [{ i, took }]
  })
  if (timed.length < FEWEST_TIMED) return new Set()
  timed.sort((a, b) => b.took - a.took || a.i - b.i)
  return new Set(timed.slice(0, SLOWEST).map(({ i }) => i))
}

/** Linters print the file once and indent its findings. */
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

/** The line without what differs between repeats of a complaint. */
const kindOf = (line: string) =>
  line
    .slice(0, 160)
    .replace(/\S*[/\\]\S*/g, '*')
    .replace(/\d+/g, '0')

/** Both ends: chains of causes end with the root cause. */
const cut = (line: string) =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - LINE_END)}…${line.slice(-LINE_END)}` : line
