import { matchesOf } from './matches-of.ts'

export interface DigitGroup {
  readonly start: number
  readonly end: number
  readonly digits: string
  /** Empty in the first group. */
  readonly separator: string
}

export type NumberRun = readonly DigitGroup[]

/** With usual separators; the shortest number has seven digits. */
const RUN = /\d[\d ()./\u00a0\u2011-]{5,}\d/g
const GROUP = /\d+/g

/** One number or several. */
export function numberRunsIn(text: string): NumberRun[] {
  const runs: NumberRun[] = []
  for (const match of matchesOf(text, RUN)) {
    const groups: DigitGroup[] = []
    let previousEnd = 0
    for (const group of matchesOf(match[0], GROUP)) {
      groups.push({
        start: match.index + group.index,
        end: match.index + group.index + group[0].length,
        digits: group[0],
        separator: groups.length === 0 ? '' : match[0].slice(previousEnd, group.index),
      })
      previousEnd = group.index + group[0].length
    }
    runs.push(groups)
  }
  return runs
}
