/** Digits that stand together, and what separates them from the group before within the same run. */
export interface DigitGroup {
  readonly start: number
  readonly end: number
  readonly digits: string
  /** Empty for the first group of a run. */
  readonly separator: string
}

export type NumberRun = readonly DigitGroup[]

/** Characters that people put between the digits of one number. */
const RUN = /\d[\d ()./\u00a0\u2011-]*\d/g
const SHORTEST_RUN = 7
const GROUP = /\d+/g

/** Groups of digits that could be one written number, or several side by side. */
export function numberRunsIn(text: string): NumberRun[] {
  const runs: NumberRun[] = []
  for (const match of text.matchAll(RUN)) {
    if (match[0].length < SHORTEST_RUN) continue
    const groups: DigitGroup[] = []
    let previousEnd = 0
    for (const group of match[0].matchAll(GROUP)) {
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
