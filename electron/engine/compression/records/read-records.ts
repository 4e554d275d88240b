import { groupByPath, type Columns } from '../../text/tree/columns.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { findItems, type Items } from './items.ts'
import { findNaming, type Naming } from './naming.ts'
import { findOddities, type Oddities } from './oddities.ts'

/** What is known of a document's records, whatever the goal. */
export interface ReadRecords {
  readonly items: Items
  readonly columns: Columns
  readonly naming: Naming
  readonly oddities: Oddities
}

export function readRecords(leaves: JsonLeaves): ReadRecords {
  const columns = groupByPath(leaves)
  const items = findItems(leaves)
  return { items, columns, naming: findNaming(leaves, columns), oddities: findOddities(leaves, columns) }
}
