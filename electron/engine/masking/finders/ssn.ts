import type { Found, Scan } from '../personal-data.ts'
import { isWordAt, isWordBefore } from './boundaries.ts'
import type { DigitGroup, NumberRun } from './number-runs.ts'
import { isNumberOfGoods } from './other-numbers.ts'

const LABEL_REACH = 45
export const SSN_LABEL = /(?<![a-z])(?:ssn|s\.s\.n\.?|itin|social[ _-]?sec(?:urity)?|soc\.? sec\.?)(?![a-z])/i
const LABEL = new RegExp(String.raw`${SSN_LABEL.source}[^\d\n]{0,30}$`, 'i')
/** Area 000, 666 or 9xx, group 00 and serial 0000 were never issued. */
const ISSUED = /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/

/** 123-45-6789 anywhere, other spellings beside a label. */
export function findSsns({ text, numberRuns }: Scan): Found[] {
  const found: Found[] = []
  for (const run of numberRuns) {
    for (let i = 0; i < run.length; i++) {
      const length = groupsOfSsn(text, run, i)
      if (length === 0) continue
      found.push({ start: (run[i] as DigitGroup).start, end: (run[i + length - 1] as DigitGroup).end })
      i += length - 1
    }
  }
  return found
}

/** 0: none. */
function groupsOfSsn(text: string, run: NumberRun, first: number): number {
  const area = run[first]
  const group = run[first + 1]
  const serial = run[first + 2]
  if (!area || (area.digits.length !== 9 && area.digits.length !== 3)) return 0
  if (isWordBefore(text, area.start)) return 0
  if (area.digits.length === 9 && !isWordAt(text, area.end)) return isLabelled(text, area) ? 1 : 0
  if (!group || !serial || isWordAt(text, serial.end)) return 0
  if (area.digits.length !== 3 || group.digits.length !== 2 || serial.digits.length !== 4) return 0
  if (group.separator !== serial.separator || !/^[-. \u00a0\u2011]$/.test(group.separator)) return 0
  if (isLabelled(text, area)) return 3
  const standsAlone = area.separator !== '-' && run[first + 3]?.separator !== '-'
  return /[-\u2011]/.test(group.separator) &&
    standsAlone &&
    ISSUED.test(area.digits + group.digits + serial.digits) &&
    !isNumberOfGoods(text, area.start)
    ? 3
    : 0
}

const isLabelled = (text: string, { start }: DigitGroup): boolean =>
  LABEL.test(text.slice(Math.max(0, start - LABEL_REACH), start))
