import { compressUnits } from '../blocks/compress-document.ts'
import { groupDigits } from '../group-digits.ts'
import {
  snapshotUnits,
  type ItemFact,
  type SnapshotNode,
  type SnapshotUnits,
} from '../../text/blocks/snapshot-units.ts'
import { addCounts, countTerms } from '../../text/words/count-terms.ts'
import { foldWord } from '../../text/words/char-classes.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { isCounter } from '../records/extremes.ts'
import type { Goal } from '../rank/goal.ts'
import { bestPlaces } from '../best-places.ts'
import { FAILING, severityOf } from '../lines/severity.ts'
import { measureColumn } from '../../text/tables/measure-column.ts'
import type { Strategy } from '../strategy.ts'

/** Pages as a browser's accessibility tree: what can be acted on with its reference, and what fits the goal. */
export const snapshotStrategy: Strategy = {
  name: 'snapshot',
  kinds: ['snapshot'],
  compress(input) {
    const snapshot = snapshotUnits(input.text, input.goal !== undefined)
    return compressUnits({ units: snapshot.units, tables: [] }, input, {
      outline: () => outline(snapshot),
      adjust: (values, goal) => raise(snapshot, values, goal),
      omitted: (taken) => omittedNodes(snapshot, taken),
    })
  },
}

/** What fails, headings, then controls, then text; of nodes at equal places the first few, of equal ones the first. */
function outline({ units, nodes, shapes }: SnapshotUnits): Float64Array {
  const seen = new Map<string, number>()
  const labels = new Map<string, number>()
  return Float64Array.from(units, ({ role, level }, i) => {
    const shape = shapes[i] ?? ''
    const before = seen.get(shape) ?? 0
    seen.set(shape, before + 1)
    const node = nodes[i]
    const label = `${role} ${node?.name ?? ''}`
    const same = node === undefined ? 0 : (labels.get(label) ?? 0)
    labels.set(label, same + 1)
    if (same === 0 && node !== undefined && severityOf(node.line) >= FAILING) return FAILED
    const worth =
      node === undefined ? 1.5 : role === 'heading' ? 3 - level / 4 : node.isInteractive ? 2 : worthOf(node)
    return worth / (1 + before / 4 + EQUAL * same) + 0.1 * (1 - i / units.length)
  })
}

/** Roles of WAI-ARIA for what a page announces, and for figures with their terms; other text. */
const WORTHS: Readonly<Record<string, number>> = {
  alert: 2.8,
  alertdialog: 2.8,
  status: 2,
  term: 1,
  definition: 1,
}
const worthOf = ({ role }: SnapshotNode): number => WORTHS[role] ?? 0.5

/** Worth of a node whose words say that something fails. */
const FAILED = 2.9
/** Equal nodes, such as the button of each row, come last. */
const EQUAL = 4
/** Shares of the best value, for a state that few nodes of a place have and for the first or last of equal parts. */
const RARE_STATE = 0.4
const PLACE = 0.5
const RARE = 0.1
/** Share of an item's best value for what else is in it: a price, a button. */
const BESIDE = 0.9
/** Off each further item, so that the first ones are whole before the last. */
const FURTHER = 0.97
const EXTREMES = 3
/** Items that fit nearly as well as the best. */
const GOOD = 0.85
const LEAST_EQUAL = 5
const LEAST_RAISED = 1

function raise(snapshot: SnapshotUnits, values: Float64Array, goal: Goal): void {
  raiseStates(snapshot, values, goal)
  const { items } = snapshot
  if (goal.order?.of === 'number') raiseExtremes(snapshot, values, goal, goal.order.end)
  const best = bestOfItems(items, values)
  const ranks = new Map(
    [...best].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([item], rank) => [item, FURTHER ** rank]),
  )
  for (const [i, item] of items.entries())
    values[i] = Math.max(values[i] ?? 0, BESIDE * (best.get(item) ?? 0)) * (ranks.get(item) ?? 1)
}

function bestOfItems(items: readonly number[], values: Float64Array): Map<number, number> {
  const best = new Map<number, number>()
  for (const [i, item] of items.entries())
    if (item >= 0) best.set(item, Math.max(best.get(item) ?? 0, values[i] ?? 0))
  return best
}

/** Of numbers at equal places of items that fit, the largest or smallest: of those that the goal names, or of all. */
function raiseExtremes(snapshot: SnapshotUnits, values: Float64Array, goal: Goal, end: 'min' | 'max'): void {
  const { items, facts } = snapshot
  const fits = fitsOf(snapshot, goal)
  const best = fits.values().reduce((most, fit) => Math.max(most, fit), 0)
  const raised = (1 + PLACE) * values.reduce((most, value) => Math.max(most, value), LEAST_RAISED)
  const columns = [...Map.groupBy(facts, ({ place }) => place).values()].flatMap((equal) => {
    const own = equal.filter(({ unit }) => (fits.get(items[unit] ?? -1) ?? 0) >= GOOD * best)
    const measured =
      own.length < 2 || equal.length < LEAST_EQUAL
        ? undefined
        : measureColumn(own.length, (place) => own[place]?.name ?? '')
    const isNamed = own.some((fact) => isNamedBy(goal, fact))
    if (measured?.kind !== 'number' || (!isNamed && isCounter(measured.values))) return []
    return [{ own, numbers: measured.values, isNamed }]
  })
  const isAnyNamed = columns.some(({ isNamed }) => isNamed)
  for (const { own, numbers, isNamed } of columns) {
    if (isNamed !== isAnyNamed) continue
    const places = [...own.keys()].filter((place) => !Number.isNaN(numbers[place]))
    for (const place of bestPlaces(places, numbers, end === 'max' ? 1 : -1, EXTREMES))
      values[own[place]!.unit] = raised
  }
}

/** How many of the goal's terms each item has. */
function fitsOf({ items, units, facts }: SnapshotUnits, goal: Goal): Map<number, number> {
  const counts = new Map<number, number[]>()
  // A row of headers is none.
  const withFacts = new Set(facts.map(({ unit }) => items[unit] ?? -1))
  for (const [i, item] of items.entries()) {
    const own = !withFacts.has(item) ? undefined : countTerms(units[i]?.text ?? '', goal).counts
    if (own !== undefined) counts.set(item, addCounts(counts.get(item), own) ?? own)
  }
  return new Map([...counts].map(([item, own]) => [item, own.filter((count) => count > 0).length]))
}

/** By its column's header, its own words, or as an amount of money where the goal asks for one. */
function isNamedBy(goal: Goal, { label, name }: ItemFact): boolean {
  const words = wordsOf(`${label} ${name}`).map(foldWord)
  const isMoney = goal.unitWords.has('price') && /[$€£¥]/.test(name)
  return isMoney || words.some((word) => goal.words.includes(word) || goal.unitWords.has(word))
}

function raiseStates({ units, nodes, shapes }: SnapshotUnits, values: Float64Array, goal: Goal): void {
  let best = 0
  for (const value of values) best = Math.max(best, value)
  const places = Map.groupBy(units.keys(), (i) => shapes[i] ?? '')
  let heads: readonly number[] = []
  for (const equal of places.values()) {
    if (equal.length < LEAST_EQUAL) continue
    if (units[equal[0] ?? 0]?.role === 'heading' && equal.length > heads.length) heads = equal
    const marked = equal.filter((i) => STATE.test(nodes[i]?.line ?? ''))
    if (marked.length <= Math.max(1, RARE * equal.length))
      for (const i of marked) values[i] = (values[i] ?? 0) + RARE_STATE * best
  }
  const head = goal.order?.of === 'place' ? heads.at(goal.order.end === 'max' ? -1 : 0) : undefined
  if (head === undefined) return
  units.forEach(({ needs }, i) => {
    if (i === head || needs[0] === head) values[i] = (values[i] ?? 0) + PLACE * best
  })
}

const STATE =
  /\[(?:disabled|checked|selected|pressed|invalid|readonly|active)\b|\b(?:disabled|checked|selected)\b/

function omittedNodes({ units, nodes }: SnapshotUnits, taken: readonly number[]): string {
  const controls = nodes.filter((node) => node?.isInteractive === true).length
  const shown = taken.filter((i) => nodes[i]?.isInteractive === true).length
  const left = `${groupDigits(units.length - taken.length)} of ${groupDigits(units.length)} named nodes`
  return `${left}, ${groupDigits(controls - shown)} of ${groupDigits(controls)} controls; wrappers folded`
}
