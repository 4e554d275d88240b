import { leavesOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { groupDigits } from '../group-digits.ts'

/** Describes omissions for the header: records without any shown value, and values. */
export function sayOmitted(leaves: JsonLeaves, chosen: readonly number[], shortened: number): string {
  const parts: string[] = []
  const total = leaves.records.length
  if (total > 1) {
    const missing = leaves.records.filter((record) => !showsAny(leaves, record, chosen)).length
    if (missing > 0) parts.push(`${groupDigits(missing)} of ${groupDigits(total)} records`)
  }
  const left = leaves.count - chosen.length
  if (left > 0) parts.push(`${groupDigits(left)} of ${groupDigits(leaves.count)} values`)
  if (shortened > 0)
    parts.push(`parts of ${groupDigits(shortened)} long ${shortened === 1 ? 'value' : 'values'}`)
  return parts.join(', ')
}

function showsAny(leaves: JsonLeaves, record: number, chosen: readonly number[]): boolean {
  const [first, end] = leavesOf(leaves, record)
  let low = 0
  let high = chosen.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chosen[middle] ?? 0) < first) low = middle + 1
    else high = middle
  }
  return (chosen[low] ?? end) < end
}
