import type { Found, Scan } from '../personal-data.ts'
import { isInsideEncodedData, isWordAt, isWordBefore } from './boundaries.ts'
import { isNationalId, type NationalId } from './national-id-checks.ts'
import { matchesOf } from './matches-of.ts'

/** Written as nothing else is, so that no word beside it is needed. */
const ALONE: readonly (readonly [NationalId, string])[] = [
  ['ch', String.raw`756\.\d{4}\.\d{4}\.\d{2}`],
  ['br', String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`],
  ['be', String.raw`\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}`],
  ['it', String.raw`[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]`],
  ['mx', String.raw`[A-Z][AEIOUX][A-Z]{2}\d{6}[HM][A-Z]{5}[A-Z\d]\d`],
  ['cn', String.raw`[1-9]\d{5}(?:19|20)\d{9}[\dX]`],
  ['kr', String.raw`\d{6}-[1-8]\d{6}`],
  ['fi', String.raw`\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]`],
  ['se', String.raw`\d{6}[-+]\d{4}`],
  ['es', String.raw`[XYZ]-?\d{7}-?[A-Z]`],
  ['in', String.raw`[A-Z]{3}P[A-Z]\d{4}[A-Z]`],
  ['gb', String.raw`[A-Z]{2} \d{2} \d{2} \d{2} [A-D]`],
  ['fr', String.raw`[12] \d{2} \d{2} \d{2} \d{3} \d{3} \d{2}`],
]
const SHAPES = new RegExp(ALONE.map(([, shape]) => shape).join('|'), 'g')
const WHOLE = ALONE.map(([id, shape]) => [id, new RegExp(`^(?:${shape})$`)] as const)

/** After the label: what leads to the number, and letters and digits in groups. */
const NUMBER =
  /^([^\d\n]{0,24}?)((?<![A-Z\d])(?:[A-Z]{0,2}\d|[A-Z\d]{2,9}(?=[ .\d-]))[A-Z\d]*(?:[ ./-]?[A-Z\d]+){0,6})/i
const REACH = 64

/** National numbers of persons, with their check digits where there are any. */
export function findNationalIds({ text, numberLabels }: Scan): Found[] {
  const found: Found[] = []
  for (const match of matchesOf(text, SHAPES)) {
    const [written] = match
    const end = match.index + written.length
    if (!isApart(text, match.index, end)) continue
    if (WHOLE.some(([id, shape]) => shape.test(written) && isNationalId(id, written)))
      found.push({ start: match.index, end })
  }
  for (const { start: index, end: from, name: ids } of numberLabels) {
    if (typeof ids === 'string' || isWordBefore(text, index)) continue
    const [whole, lead = '', number = ''] = NUMBER.exec(text.slice(from, from + REACH)) ?? []
    if (whole === undefined) continue
    const start = from + lead.length
    const end = endOf(text, ids, start, number)
    if (end !== undefined && !found.some((other) => other.start < end && start < other.end))
      found.push({ start, end })
  }
  return found.sort((a, b) => a.start - b.start)
}

/** The longest part of what follows that is a number of this kind. */
function endOf(text: string, ids: readonly NationalId[], start: number, number: string): number | undefined {
  for (let length = number.length; length >= 8; length--) {
    const end = start + length
    const part = number.slice(0, length)
    if (isWordAt(text, end) || /[ ./-]$/.test(part)) continue
    if (ids.some((id) => isNationalId(id, part))) return end
  }
  return undefined
}

const isApart = (text: string, start: number, end: number): boolean =>
  !isWordBefore(text, start) &&
  !isWordAt(text, end) &&
  !/[\d.][.-]$|-$/.test(text.slice(Math.max(0, start - 2), start)) &&
  !/^[.-][\dA-Z]/.test(text.slice(end, end + 2)) &&
  !isInsideEncodedData(text, start, end)
