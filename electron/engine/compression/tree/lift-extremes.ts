import { isMachinery, isNamingNumber } from './field-names.ts'
import { labelOf, leavesOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf, valueOf } from '../../text/tree/json-document.ts'
import type { Scoring } from './scoring.ts'

const NAMED_COLUMN = 1.2
const ANY_COLUMN = 0.5
/** Shares of the bonus for the three most extreme values. */
const PLACES = [1, 0.6, 0.4]
const SIBLINGS = 0.8
const OUTER_FIELDS = 0.4

/**
 * Answers superlatives from the data: raises the three smallest or largest values, and their records, in numeric or
 * date columns that the goal names, or in all if it names none.
 */
export function liftExtremes({ leaves, goal, terms, columns, values, top }: Scoring): void {
  const candidates = []
  for (let path = 0; path < columns.count; path++) {
    const label = labelOf(leaves, path)
    if (columns.of(path).length < 3 || isMachinery(label) || isNamingNumber(label)) continue
    const column = measureColumn(leaves, columns.of(path))
    if (column.length < 3 || isConstant(column)) continue
    const counts = terms.fields[path]?.counts
    const fit = goal.terms.reduce((sum, { weight }, id) => ((counts?.[id] ?? 0) > 0 ? sum + weight : sum), 0)
    candidates.push({ column, fit })
  }
  const isNamed = candidates.some(({ fit }) => fit > 0)
  for (const { column, fit } of candidates) {
    if (isNamed && fit === 0) continue
    const lift = (fit > 0 ? NAMED_COLUMN : ANY_COLUMN) * top
    column.sort((a, b) => a.measure - b.measure)
    PLACES.forEach((share, place) => {
      const low = column[place]
      const high = column[column.length - 1 - place]
      if (goal.direction !== 'max' && low) liftRecord(leaves, low.leaf, lift * share, values)
      if (goal.direction !== 'min' && high) liftRecord(leaves, high.leaf, lift * share, values)
    })
  }
}

/** Equal values have no extreme. */
const isConstant = (column: readonly Measured[]): boolean =>
  column.every(({ measure }) => measure === column[0]?.measure)

interface Measured {
  readonly leaf: number
  readonly measure: number
}

function measureColumn(leaves: JsonLeaves, column: Int32Array): Measured[] {
  const measured: Measured[] = []
  for (const leaf of column) {
    const measure = measureOf(leaves, leaf)
    if (!Number.isNaN(measure)) measured.push({ leaf, measure })
  }
  return measured
}

/** A number, ISO date (milliseconds), or leading number ("$1,299.00", "15 GB"); else NaN. */
function measureOf(leaves: JsonLeaves, leaf: number): number {
  const { document } = leaves
  const node = leaves.nodes[leaf] ?? 0
  const kind = kindOf(document, node)
  if (kind === NODE.number) return Number(valueOf(document, node))
  if (kind !== NODE.string || (document.stops[node] ?? 0) - (document.starts[node] ?? 0) > 60) return NaN
  const text = valueOf(document, node)
  if (/^\d{4}-\d\d/.test(text)) return Date.parse(text)
  const match = /^\s*[^\d-]{0,4}\s*(-?\d[\d,]*(?:\.\d+)?)\s*([kKMG]i?B?|B)?(?![A-Za-z\d])/.exec(text)
  if (!match) return NaN
  const unit = { k: 1e3, K: 1e3, M: 1e6, G: 1e9 }[match[2]?.charAt(0) ?? ''] ?? 1
  return Number((match[1] ?? '').replaceAll(',', '')) * unit
}

function liftRecord(leaves: JsonLeaves, leaf: number, lift: number, values: Float64Array): void {
  const node = leaves.nodes[leaf] ?? 0
  const outer = leaves.outerRecords[node] ?? -1
  const inner = leaves.innerRecords[node] ?? -1
  const nearest = inner >= 0 ? inner : Math.max(leaves.document.root, parentOf(leaves.document, node))
  values[leaf]! += lift
  const [first, end] = leavesOf(leaves, nearest)
  for (let other = first; other < end; other++) if (other !== leaf) values[other]! += lift * SIBLINGS
  if (outer < 0 || outer === nearest) return
  const [outerFirst, outerEnd] = leavesOf(leaves, outer)
  for (let other = outerFirst; other < outerEnd; other++)
    if (leaves.innerRecords[leaves.nodes[other] ?? 0] === outer) values[other]! += lift * OUTER_FIELDS
}
