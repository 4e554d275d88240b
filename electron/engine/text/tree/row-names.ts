import { childrenOf, endOf, kindOf, NODE, parentOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'
import { headersAbove, keyNameOf, NAMES_ROWS } from './table-header.ts'

/** Of a list that has as many names as a table has columns: its rows have none. */
const OF_COLUMNS = /col|field|head|schema|attribute|propert/i

/**
 * Names of a matrix's rows by place, each undefined where lists beside it disagree; undefined when nothing names them.
 * Rows are told apart by their places alone: one list may name rows and columns ({"labels": […], "matrix": [[…], …]}).
 */
export function findRowNames(document: JsonDocument, table: number): (string | undefined)[] | undefined {
  const rows = childrenOf(document, table)
  if (rows.length === 0 || kindOf(document, parentOf(document, table)) !== NODE.object) return undefined
  // Rows with words name themselves.
  for (let node = table + 1; node < endOf(document, table); node++)
    if (kindOf(document, node) === NODE.string) return undefined
  const lists = headersAbove(document, table, rows.length).filter(
    ({ list }) => parentOf(document, list) === parentOf(document, table),
  )
  if (lists.length === 0) return undefined
  const ofRows = lists.filter(({ list }) => NAMES_ROWS.test(keyNameOf(document, list)))
  const [chosen, other] = ofRows.length > 0 ? ofRows : lists
  const names = chosen === undefined ? [] : chosen.names.map((name) => valueOf(document, name))
  const isKnown =
    new Set(names).size === names.length &&
    !OF_COLUMNS.test(keyNameOf(document, chosen?.list ?? -1)) &&
    (other === undefined || other.names.every((name, place) => valueOf(document, name) === names[place]))
  return rows.map((_, place) => (isKnown ? names[place] : undefined))
}
