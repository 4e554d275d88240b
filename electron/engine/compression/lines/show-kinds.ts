import { allocate } from '../allocate.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import type { MinedLog } from './mine-kinds.ts'
import type { LineKind } from './line-kind.ts'
import { makeRenderer } from './render-line.ts'
import { severityOf } from './severity.ts'
import { groupDigits } from '../group-digits.ts'

export interface ShownLog {
  readonly text: string
  readonly kindsShown: number
}

const WEIGHTS = {
  /** Bonus per step of severity. */
  severity: 0.1,
  /** Stack frames and the like, relative to other lines. */
  continuation: 0.35,
  /** The cause at the end of a trace. */
  cause: 0.9,
} as const
const CAUSE = /^\s*(?:Caused by\b|[\w.$]+(?:Exception|Error)\b)/

/**
 * Without a goal: one line per kind with its count. Original lines, else without near-constant columns, else the
 * common parts by level.
 */
export function showKinds(log: MinedLog, budget: number): ShownLog {
  const renderer = makeRenderer(log, { withTime: true, goal: undefined })
  const values = log.kinds.map((kind) => valueOf(log, kind))
  for (const render of [renderer.verbatim, renderer.brief]) {
    const texts = textsWithin(log, (kind) => withCount(kind, render(kind.first)), budget)
    if (texts === undefined) continue
    const units = texts.map((text, i) => ({ text, value: values[i] ?? 0 }))
    const shown = allocate(units, { budget, gap: '' })
    if (shown.complete) return { text: shown.text, kindsShown: log.kinds.length }
  }
  return showShared(log, values, budget)
}

/** Undefined once surely over budget. */
function textsWithin(
  log: MinedLog,
  render: (kind: LineKind) => string,
  budget: number,
): string[] | undefined {
  const texts: string[] = []
  let length = 0
  for (const kind of log.kinds) {
    const text = render(kind)
    length += text.length
    if (length > budget * 5) return undefined
    texts.push(text)
  }
  return texts
}

const withCount = ({ count }: LineKind, text: string) =>
  count === 1 ? text : `×${groupDigits(count)} ${text}`

function valueOf(log: MinedLog, kind: LineKind): number {
  const { lines } = log
  const start = log.messageStart(kind.first)
  const text = lines.text.slice(start, Math.min(lines.end(kind.first), start + 500))
  // Carets mean nothing without quoted source.
  if (kind.isContinuation && !/[\p{L}\p{N}]/u.test(text)) return 0
  const value = 1 + WEIGHTS.severity * severityOf(text, kind.level)
  if (!kind.isContinuation) return value
  return value * (CAUSE.test(text) ? WEIGHTS.cause : WEIGHTS.continuation)
}

/** The common parts of kinds, worst level first; the remaining budget shows full lines of the worst and rarest. */
function showShared(log: MinedLog, values: readonly number[], budget: number): ShownLog {
  const renderer = makeRenderer(log, { withTime: true, goal: undefined })
  const levels = [...new Set(log.kinds.map(({ level }) => level))]
  const rank = new Map(levels.map((level) => [level, severityOf('', level)]))
  const order = log.kinds
    .map((_, i) => i)
    .sort(
      (a, b) =>
        (rank.get(levelOf(log, b)) ?? 0) - (rank.get(levelOf(log, a)) ?? 0) ||
        levels.indexOf(levelOf(log, a)) - levels.indexOf(levelOf(log, b)) ||
        a - b,
    )

  const units: { text: string; value: number; needs?: number[] }[] = []
  const kindOfUnit: number[] = []
  let heading = -1
  let level: string | undefined
  for (const i of order) {
    const kind = log.kinds[i]
    if (!kind) continue
    if (levels.length > 1 && kind.level !== level) {
      level = kind.level
      heading = units.length
      units.push({ text: `${level || 'other'}:`, value: 0 })
      kindOfUnit.push(-1)
    }
    const text = withCount(kind, renderer.shared(kind))
    units.push({ text, value: values[i] ?? 0, needs: heading < 0 ? undefined : [heading] })
    kindOfUnit.push(i)
  }
  const shown = allocate(units, { budget, gap: '', costExponent: 1 })
  const lines = shown.taken.map((unit) => ({
    text: units[unit]?.text ?? '',
    kind: log.kinds[kindOfUnit[unit] ?? -1],
  }))
  let left = budget - countTokens(shown.text) - 2
  const worst = lines
    .filter(({ kind }) => kind !== undefined)
    .sort((a, b) => worth(log, b.kind) - worth(log, a.kind) || (a.kind?.first ?? 0) - (b.kind?.first ?? 0))
  for (const line of shown.complete ? worst : []) {
    if (!line.kind || left < 4) break
    const better = withCount(line.kind, renderer.brief(line.kind.first, levels.length < 2))
    const price = countTokens(better) - countTokens(line.text)
    if (price <= 0 || price > left) continue
    line.text = better
    left -= price + 1
  }
  return { text: lines.map(({ text }) => text).join('\n'), kindsShown: worst.length }
}

const levelOf = (log: MinedLog, kind: number) => log.kinds[kind]?.level ?? ''

const worth = (log: MinedLog, kind: LineKind | undefined) =>
  kind === undefined ? 0 : valueOf(log, kind) - Math.log10(1 + kind.count) * 0.1
