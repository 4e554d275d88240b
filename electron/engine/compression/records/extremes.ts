import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import type { Goal } from '../rank/goal.ts'
import { isInTime, type AskedOrder } from '../rank/intent.ts'
import { bestPlaces } from '../best-places.ts'
import { liftAbove } from './lift-above.ts'
import { markBeyond } from './limits.ts'
import type { Measured } from '../../text/tables/measure-column.ts'
import { measureLeaves, SMALLEST } from './measure-leaves.ts'

/** Per leaf and per node (the best inside, up to the outermost record), 0 to 1. */
export interface Extremes {
  readonly leaves: Float32Array
  readonly nodes: Float32Array
  /** Of these, in columns that the goal names. */
  readonly named: Float32Array
  readonly namedNodes: Float32Array
  /** Of leaves beyond the goal's limit ("over 50"), 0 to 1. */
  readonly beyond: Float32Array
}

const PLACES = [1, 0.5, 0.35, 0.25]
const OTHER_END = 0.6
const LEAST_NAMED = 0.3
const OUTGOING = 0.5
/** Beyond the places that count, so that ties have one. */
const MOST_TIES = 4
/** Records that fit the goal nearly as well as the best. */
const GOOD = 0.7
const UNFIT = { id: 0.2, date: 0.15, number: 0.3, other: 0.4 } as const
/** Numbers that only name or place things. */
const NAMING =
  /(?:^|[^a-z])(?:ids?|pid|zip|zipcode|postcode|phone|lat|lon|lng|latitude|longitude|code|port|line|index|version)$|Id$/

export interface ExtremesInput {
  readonly leaves: JsonLeaves
  readonly columns: Columns
  readonly goal: Goal
  /** By path: how much of the goal its last name has. */
  readonly namedBy: (path: number) => number
  /** By leaf: how well its record fits, and the best of all. */
  readonly fitOf: (leaf: number) => number
  readonly bestFit: number
}

export function findExtremes(input: ExtremesInput): Extremes {
  const { leaves, columns, goal } = input
  const { order } = goal
  const [limit] = goal.comparisons
  const { document } = leaves
  const found: Extremes = {
    leaves: new Float32Array(leaves.count),
    nodes: new Float32Array(document.count),
    named: new Float32Array(leaves.count),
    namedNodes: new Float32Array(document.count),
    beyond: new Float32Array(leaves.count),
  }
  const measured: { path: number; column: Int32Array; values: Measured; named: number }[] = []
  const isAsked = order !== undefined || limit !== undefined
  for (let path = 1; path < (isAsked ? leaves.pathCount : 0); path++) {
    const column = columns.of(path)
    if (column.length < SMALLEST) continue
    const found = measureLeaves(leaves, column)
    const values = goal.asksForOutgoing && found?.kind === 'number' ? outgoingOf(found) : found
    if (values === undefined) continue
    // Amounts below zero are what is asked for, whatever their column is called.
    const named = Math.max(nameFit(input, path, values), values === found ? 0 : OUTGOING)
    measured.push({ path, column, values, named })
  }
  const isNamed = measured.some(
    ({ named, values }) => named > LEAST_NAMED && (isInTime(order) || values.kind !== 'date'),
  )
  for (const { path, column, values, named } of measured) {
    if (limit !== undefined && !(isNamed && named <= LEAST_NAMED))
      markBeyond(found.beyond, leaves, path, column, values, limit, isNamed)
    if (order === undefined) continue
    const isAge = isInTime(order) && countsBack(leaves, path, values)
    const usual = isAge ? 1 : suits(leaves, path, values, order, named)
    const fit = isNamed && named <= LEAST_NAMED ? usual * UNFIT.other : usual
    // The oldest has the highest age.
    const asked = isAge ? { ...order, end: order.end === 'min' ? ('max' as const) : ('min' as const) } : order
    rankColumn(input, asked, found, column, values.values, fit, named)
  }
  return found
}

/** The largest expense is the amount farthest below zero. */
function outgoingOf(measured: Measured): Measured {
  const values = measured.values.map((value) => (value < 0 ? -value : NaN))
  const count = values.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + 1), 0)
  return count < SMALLEST ? measured : { ...measured, values }
}

/** By its name, by what the direction word measures, by its unit. */
function nameFit({ leaves, goal, namedBy }: ExtremesInput, path: number, { kind }: Measured): number {
  const own = namedBy(path)
  if (own > 0.3 || (goal.unitWords.size === 0 && !isInTime(goal.order))) return own
  const label = labelOf(leaves, path)
  const parts = wordsOf(label).flatMap((word) => [word, ...partsOf(word)].map((part) => part.toLowerCase()))
  const isMeasure = parts.some(
    (part) => goal.unitWords.has(part) || goal.unitWords.has(part.replace(/s$/, '')),
  )
  if (isMeasure || (kind === 'duration' && goal.unitWords.has('duration'))) return Math.max(own, 0.5)
  return kind === 'date' && isInTime(goal.order) ? Math.max(own, 0.4) : own
}

/** Ages, and how long something has been there. */
function countsBack(leaves: JsonLeaves, path: number, { kind, isAge }: Measured): boolean {
  const label = labelOf(leaves, path)
  return kind !== 'date' && (isAge === true || AGE.test(label) || (kind === 'duration' && SINCE.test(label)))
}
const AGE = /(?:^|[^a-z])age$/i
const SINCE = /uptime|elapsed|etime|since|created|updated|modified|seen|running/i

function suits(
  leaves: JsonLeaves,
  path: number,
  { kind, values }: Measured,
  order: AskedOrder,
  named: number,
): number {
  const label = labelOf(leaves, path)
  if (kind === 'date') return isInTime(order) ? 1 : UNFIT.date
  if (isNamingNumber(leaves, path) || isCounter(values)) return named > 0.5 ? 0.6 : UNFIT.id
  if (!isInTime(order)) return 1
  return /year|age|date|time/i.test(label) ? 0.8 : UNFIT.number
}

/** Its name says that its numbers only name or place things. */
export const isNamingNumber = (leaves: JsonLeaves, path: number): boolean =>
  NAMING.test(labelOf(leaves, path))

/** Rises by the same step. */
export function isCounter(values: Float64Array): boolean {
  if (values.length < 5) return false
  const step = (values[1] ?? 0) - (values[0] ?? 0)
  if (!(step > 0)) return false
  for (let i = 1; i < values.length; i++) if (values[i]! - values[i - 1]! !== step) return false
  return true
}

function rankColumn(
  { leaves, fitOf, bestFit }: ExtremesInput,
  { end, isCertain }: AskedOrder,
  found: Extremes,
  column: Int32Array,
  values: Float64Array,
  fit: number,
  named: number,
): void {
  const places: number[] = []
  for (let place = 0; place < values.length; place++) if (!Number.isNaN(values[place])) places.push(place)
  const lift = (place: number, share: number): void => {
    liftLeaf(leaves, found, column[place] ?? 0, share * fit, named)
  }
  const direction = end === 'max' ? 1 : -1
  for (const turn of isCertain ? [direction] : [direction, -direction]) {
    const share = turn === direction ? 1 : OTHER_END
    const best = bestPlaces(places, values, turn, PLACES.length + MOST_TIES)
    if (best.length < SMALLEST || values[best[0] ?? 0] === values[best.at(-1) ?? 0]) continue
    let rank = -1
    let last = NaN
    for (const place of best) {
      const value = values[place] ?? NaN
      if (value !== last) rank++
      last = value
      if (rank < PLACES.length) lift(place, share * (PLACES[rank] ?? 0))
    }
  }
  if (bestFit <= 0.15) return
  const fitting = places.filter((place) => fitOf(column[place] ?? 0) > GOOD * bestFit)
  if (fitting.length < 2 || fitting.length > places.length / 2) return
  bestPlaces(fitting, values, direction, 2).forEach((place, rank) => {
    lift(place, PLACES[rank] ?? 0)
  })
}

function liftLeaf(leaves: JsonLeaves, found: Extremes, leaf: number, value: number, named: number): void {
  const asNamed = value * Math.min(1, 2 * named)
  found.leaves[leaf] = Math.max(found.leaves[leaf] ?? 0, value)
  found.named[leaf] = Math.max(found.named[leaf] ?? 0, asNamed)
  liftAbove(leaves, leaf, found.nodes, value)
  liftAbove(leaves, leaf, found.namedNodes, asNamed)
}
