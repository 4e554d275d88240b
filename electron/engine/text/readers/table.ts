import { isNumbered } from './key-values/record-starts.ts'
import type { Reader, Reading } from './reading.ts'
import { sourceLines } from './source-lines.ts'
import { findTables } from './table/find-tables.ts'
import { findHeads } from './table/heads.ts'
import { placeTables } from './table/place-tables.ts'
import { takeRowGaps } from './table/row-gaps.ts'
import { takeRowNotes } from './table/row-notes.ts'

/** Least share of a text's characters in tables. */
const MOSTLY = 0.7
const LEAST_LINES = 3

/** Delimited, drawn and aligned tables, one or several in a text. */
export const tableReader: Reader = {
  format: 'table',
  read(text): Reading | undefined {
    const { lines: all, notes } = takeRowNotes(takeRowGaps(sourceLines(text)))
    if (all.count < LEAST_LINES || isNumbered(text)) return undefined
    const lines = { ...all, heads: findHeads(all) }
    const tables = findTables(lines)
    const reading = tables.length === 0 ? undefined : placeTables(lines, tables, notes)
    return reading && reading.explained >= MOSTLY ? reading : undefined
  },
}
