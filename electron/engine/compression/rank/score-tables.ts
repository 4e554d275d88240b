import { bm25, type Scorable } from '../../text/words/bm25.ts'
import { addCounts, countTerms, noCounts } from '../../text/words/count-terms.ts'
import type { Goal } from './goal.ts'
import type { UnitTable } from '../../text/blocks/make-units.ts'
import { measureColumns } from '../../text/tables/measure-column.ts'
import { bestPlaces } from '../best-places.ts'
import { WEIGHTS } from './weights.ts'

/** Weight of header words in the table's document. */
const HEADER_WEIGHT = 3
/** Bonus of a column's extremes. */
const EXTREMES = [1, 0.6, 0.4]

/** Bonus for rows from their tables: the fit of the whole table, then rows that answer data questions (cheapest, last), because they may share no word with the goal. */
export function scoreTables(
  tables: readonly UnitTable[],
  scorable: readonly Scorable[],
  own: Float64Array,
  goal: Goal,
): Float64Array {
  const fromTables = new Float64Array(scorable.length)
  const add = (unit: number, value: number) => {
    fromTables[unit] = (fromTables[unit] ?? 0) + value
  }
  const fits = tableFits(tables, scorable, own, goal)
  for (const [t, table] of tables.entries()) {
    const fit = fits[t] ?? 0
    for (let i = table.header; i < table.end; i++) add(i, WEIGHTS.table * fit)
    if (goal.order !== undefined && table.end > table.firstRow) {
      if (fit > 0) addExtremes(table, fit, goal, add)
      add(table.firstRow, WEIGHTS.tableEnd * fit)
      add(table.end - 1, WEIGHTS.tableEnd * fit)
    }
    if (goal.asksForNeighbour) addNeighbours(table, own, WEIGHTS.neighbour * fit, add)
  }
  return fromTables
}

/** Fit of each table: as one document, by header and headings alone, and by its best row. */
function tableFits(
  tables: readonly UnitTable[],
  scorable: readonly Scorable[],
  own: Float64Array,
  goal: Goal,
): number[] {
  const wholes: Scorable[] = []
  const heads: Scorable[] = []
  for (const table of tables) {
    const head = addCounts(
      addCounts(undefined, scorable[table.header]?.counts),
      scorable[table.header]?.context,
    )
    const counts = addCounts(addCounts(undefined, scorable[table.header]?.counts, HEADER_WEIGHT), head)
    wholes.push(wholeTable(table, scorable, counts))
    heads.push({ counts: head, length: 1, pairs: 0 })
  }
  const whole = bm25(wholes, goal, { b: 0.3, pairWeight: 0 }).scores
  const header = bm25(heads, goal, { b: 0, pairWeight: 0 }).scores
  return tables.map((table, t) => {
    let best = 0
    for (let i = table.firstRow; i < table.end; i++) best = Math.max(best, own[i] ?? 0)
    return (whole[t] ?? 0) + WEIGHTS.tableHeader * (header[t] ?? 0) + WEIGHTS.tableBestRow * best
  })
}

/** A table as one document: each row adds at most 1 per term. */
function wholeTable(table: UnitTable, scorable: readonly Scorable[], head: number[] | undefined): Scorable {
  let counts = head
  let length = 0
  for (let i = table.header; i < table.end; i++) {
    length += scorable[i]?.length ?? 0
    const row = scorable[i]?.counts
    if (row === undefined) continue
    counts ??= noCounts(row.length)
    for (let k = 0; k < row.length; k++) counts[k] = (counts[k] ?? 0) + Math.min(1, row[k] ?? 0)
  }
  return { counts, length, pairs: 0 }
}

/** "Who came after Adams": the rows beside those that the goal names. */
function addNeighbours(
  { firstRow, end }: UnitTable,
  own: Float64Array,
  value: number,
  add: (unit: number, value: number) => void,
): void {
  let best = 0
  for (let i = firstRow; i < end; i++) best = Math.max(best, own[i] ?? 0)
  if (best === 0) return
  const named: number[] = []
  for (let i = firstRow; i < end && named.length <= MOST_NAMED; i++)
    if ((own[i] ?? 0) >= best * NAMED_SHARE) named.push(i)
  if (named.length > MOST_NAMED) return
  for (const row of named)
    for (const beside of [row - 1, row + 1]) if (beside >= firstRow && beside < end) add(beside, value)
}

/** More rows with nearly the same fit name none. */
const MOST_NAMED = 3
const NAMED_SHARE = 0.9

/** Of each column that has an order, the least and the largest, or the end that the goal is sure of. */
function addExtremes(
  { block, firstRow }: UnitTable,
  fit: number,
  goal: Goal,
  add: (unit: number, value: number) => void,
): void {
  // "best": lowest time or highest score.
  const isSure = goal.order?.isCertain === true && goal.order.of === 'number'
  const turns = isSure ? [goal.order?.end === 'min' ? -1 : 1] : [-1, 1]
  const names = block.header.cells.slice(0, MOST_COLUMNS)
  const columns = measureColumns(block.rows.length, names.length, (row) => block.rows[row]?.cells ?? [])
  names.forEach((name, column) => {
    const values = columns[column]?.values ?? []
    const rows = [...values.keys()].filter((row) => !Number.isNaN(values[row]))
    const weight = countTerms(name, goal).counts === undefined ? WEIGHTS.anyExtreme : WEIGHTS.namedExtreme
    for (const turn of turns)
      bestPlaces(rows, values, turn, EXTREMES.length).forEach((row, rank) => {
        if (rank === 0 || rows.length > 2 * rank + 2)
          add(firstRow + row, weight * (EXTREMES[rank] ?? 0) * fit)
      })
  })
}

const MOST_COLUMNS = 60
