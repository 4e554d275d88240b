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

/** One number or several. */
export function numberRunsIn(text: string): NumberRun[] {
  const runs: NumberRun[] = []
  RUN.lastIndex = 0
  for (let run = RUN.exec(text); run; run = RUN.exec(text))
    runs.push(groupsOf(text, run.index, RUN.lastIndex))
  return runs
}

function groupsOf(text: string, from: number, to: number): DigitGroup[] {
  const groups: DigitGroup[] = []
  let before = from
  for (let start = from; start < to;) {
    let end = start
    while (end < to && isDigit(text.charCodeAt(end))) end++
    if (end > start) {
      groups.push({ start, end, digits: text.slice(start, end), separator: text.slice(before, start) })
      before = end
    }
    start = end + 1
  }
  return groups
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
