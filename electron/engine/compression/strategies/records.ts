import { readAs, readText } from '../../text/readers/registry.ts'
import { showRecords } from '../records/show-records.ts'
import type { Strategy } from '../strategy.ts'

/** Whatever a reader finds records in: tables, settings, blocks of keys and values. */
export const recordsStrategy: Strategy = {
  name: 'records',
  kinds: ['data', 'table'],
  compress({ text, goal, hint, found, budget }) {
    const reading = found === undefined ? readText(text, hint) : readAs(found, text, hint)
    return reading && showRecords(reading, goal, budget)
  },
}
