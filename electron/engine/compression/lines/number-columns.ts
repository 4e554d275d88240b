import { bestPlaces } from '../best-places.ts'
import type { Goal } from '../rank/goal.ts'
import { isBeyond, isInTime } from '../rank/intent.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { factorOf } from '../../text/words/units.ts'
import { foldWord } from '../../text/words/char-classes.ts'
import type { ReadKinds } from './read-kinds.ts'

/** Numbers at one place, or behind one name, of a kind's lines. */
interface NumberColumn {
  readonly values: number[]
  readonly lines: number[]
  readonly label: string
  /** Of the first value's unit, which the others are scaled to. */
  readonly factor: number | undefined
}

const MOST_NUMBERS = 24
const LONGEST = 2000
const LEAST = 4
const NUMBER =
  /(?:([\p{L}_"][\p{L}\w".-]{0,40})(\s?[=:]\s?|\s+)"?)?(?<![\p{L}\w.])(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s?([\p{L}%]{0,8})/gu
const SHARES = [1, 0.75, 0.5]
/** Share of a column. */
const MOST_BEYOND = 0.5
const WORTH = { named: 1, unit: 0.9, other: 0.2, decimal: 0.6, whole: 0.4 } as const

/** By line: how extreme its numbers are where the goal asks for the most or least, or whether they are beyond its limit. */
export function scoreExtremes(read: ReadKinds, goal: Goal): Map<number, number> {
  const worth = new Map<number, number>()
  const [limit] = goal.comparisons
  const isOrdered = goal.order?.of === 'number'
  if (goal.order !== undefined && isInTime(goal.order) && !read.isTimed)
    for (const [rank, line] of endsInTime(read, goal.order.end).entries()) worth.set(line, SHARES[rank] ?? 0)
  if (!isOrdered && limit === undefined) return worth
  const columns = numberColumns(read)
  const most = columns.reduce((max, { values }) => Math.max(max, values.length), 1)
  const goalWords = new Set(goal.words)
  const partsOf = ({ label }: NumberColumn) => wordsOf(label).map(foldWord)
  const isNamed = (column: NumberColumn) => partsOf(column).some((word) => goalWords.has(word))
  const hasUnit = (column: NumberColumn) => partsOf(column).some((part) => goal.unitWords.has(part))
  const isAnyNamed = columns.some((column) => isNamed(column) || hasUnit(column))
  const isLow = goal.order?.end === 'min'
  for (const column of columns) {
    const { values, lines } = column
    const value = isNamed(column)
      ? WORTH.named
      : hasUnit(column)
        ? WORTH.unit
        : isAnyNamed
          ? WORTH.other
          : values.some((number) => number % 1 !== 0)
            ? WORTH.decimal
            : WORTH.whole
    const ofSize = 0.5 + 0.5 * Math.sqrt(values.length / most)
    const lift = (place: number, share: number): void => {
      const line = lines[place] ?? 0
      worth.set(line, Math.max(worth.get(line) ?? 0, value * ofSize * share))
    }
    if (isOrdered)
      bestPlaces(values.keys(), values, isLow ? -1 : 1, SHARES.length).forEach((place, rank) => {
        lift(place, SHARES[rank] ?? 0)
      })
    if (limit === undefined) continue
    const beyond = [...values.keys()].filter((place) => isBeyond(values[place] ?? NaN, limit, column.factor))
    // What most are beyond says little.
    if (beyond.length <= MOST_BEYOND * values.length) for (const place of beyond) lift(place, 1)
  }
  return worth
}

/** The newest or oldest lines where most have a date somewhere, in no order: who wrote a line of source, and when. */
function endsInTime({ lines }: ReadKinds, end: 'min' | 'max'): number[] {
  const dated: number[] = []
  const times: number[] = []
  for (let line = 0; line < lines.count; line++) {
    const [date] =
      DATE.exec(
        lines.text.slice(lines.start(line), Math.min(lines.end(line), lines.start(line) + TO_DATE)),
      ) ?? []
    if (date === undefined) continue
    dated.push(line)
    times.push(Date.parse(date.replace(' ', 'T')))
  }
  if (
    dated.length < MOSTLY_DATED * lines.count ||
    times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0))
  )
    return []
  return bestPlaces(times.keys(), times, end === 'min' ? -1 : 1, SHARES.length).map(
    (place) => dated[place] ?? 0,
  )
}

const DATE = /(?<![\d-])\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?(?![\d-])/
/** Characters before a line's date, at the most. */
const TO_DATE = 200
const MOSTLY_DATED = 0.6

function numberColumns(read: ReadKinds): NumberColumn[] {
  const { lines } = read
  const byKind = new Map<number, Map<string, NumberColumn>>()
  const named = new Map<string, NumberColumn>()
  for (let line = 0; line < lines.count; line++) {
    const kind = read.kindOf(line)
    const known = byKind.get(kind)
    const columns = known ?? new Map<string, NumberColumn>()
    if (known === undefined) byKind.set(kind, columns)
    const start = read.bodyStart(line)
    readNumbers(lines.text.slice(start, Math.min(lines.end(line), start + LONGEST)), line, columns, named)
  }
  const found: NumberColumn[] = []
  for (const columns of [...byKind.values(), named])
    for (const column of columns.values()) if (isMeasure(column)) found.push(column)
  return found
}

/** A column with a name goes through all kinds; so do sizes, times, and fractions at the end, the first of each line, the second. */
function readNumbers(
  body: string,
  line: number,
  ofKind: Map<string, NumberColumn>,
  named: Map<string, NumberColumn>,
): void {
  let place = 0
  const places = [0, 0]
  NUMBER.lastIndex = 0
  for (let found = NUMBER.exec(body); found !== null && place < MOST_NUMBERS; found = NUMBER.exec(body)) {
    const [, name = '', mark = '', digits = '', unit = ''] = found
    const isNamed = /[=:]/.test(mark)
    const factor = factorOf(unit)
    const add = (columns: Map<string, NumberColumn>, key: string): void => {
      const column = columns.get(key)
      if (column === undefined)
        columns.set(key, { values: [readNumber(digits)], lines: [line], label: `${name} ${unit}`, factor })
      else {
        column.values.push(readNumber(digits) * ((factor ?? 1) / (column.factor ?? factor ?? 1)))
        column.lines.push(line)
      }
    }
    if (isNamed) add(named, name)
    else add(ofKind, String(place))
    const measure = Number(IS_SIZE.test(unit))
    if (!isNamed && factor !== undefined) add(named, `${measure} ${places[measure]!++}`)
    else if (!isNamed && unit === '' && digits.includes('.') && AT_END.test(body.slice(NUMBER.lastIndex)))
      add(named, 'end')
    place++
  }
}

/** Behind a number that ends its line. */
const AT_END = /^[>)\]]{0,2}$/
const IS_SIZE = /b$|^bytes?$|^[kmgt]i?$/i

const readNumber = (digits: string): number => Number(digits.replaceAll(',', ''))

/** At least three values that don't just count up. */
function isMeasure({ values }: NumberColumn): boolean {
  if (values.length < LEAST) return false
  const different = new Set(values).size
  if (different < 3) return false
  let rising = 0
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) >= (values[i - 1] ?? 0)) rising++
  return !(rising > 0.97 * (values.length - 1) && different > values.length / 2)
}
