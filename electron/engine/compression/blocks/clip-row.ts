import { countTerms } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import type { TableBlock, TableRow } from '../../text/blocks/block.ts'

export const MAX_ROW = 300
/** Longest uncut cell; longer cells are cut to KEPT. */
const MAX_CELL = 90
const KEPT = 60

/** Row text with long cells cut, except those matching the goal by text or column. */
export function clipRow(row: TableRow, table: TableBlock, goal: Goal): string {
  let text = row.text
  for (const [c, cell] of row.cells.entries()) {
    if (cell.length <= MAX_CELL || isWanted(cell, goal) || isWanted(table.header.cells[c] ?? '', goal))
      continue
    const at = text.indexOf(cell)
    if (at >= 0) text = `${text.slice(0, at)}${cell.slice(0, KEPT).trimEnd()}…${text.slice(at + cell.length)}`
  }
  return text
}

const isWanted = (text: string, goal: Goal) => countTerms(text, goal).counts !== undefined
