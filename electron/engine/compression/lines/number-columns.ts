import { bestPlaces } from '../best-places.ts'
import type { Goal } from '../rank/goal.ts'
import { isBeyond } from '../rank/intent.ts'
import { readSpan } from '../../text/tables/measure-column.ts'
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
/** A clock, hours to seconds, a number with its unit. */
const NUMBER =
  /(?:([\p{L}_"][\p{L}\w".-]{0,40})(\s?[=:]\s?|\s+)"?)?(?<![\p{L}\w.])(?:((?<!:)\d+(?::[0-5]\d){1,2}(?:\.\d+)?(?![\d:]))|(\d+(?:h ?\d+m(?: ?\d[\d.]*s)?|m ?\d[\d.]*s)(?!\p{L}))|(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s?([\p{L}%]{0,8}))/gu
const SHARES = [1, 0.75, 0.5]
/** Share of a column. */
const MOST_BEYOND = 0.5
const WORTH = { named: 1, unit: 0.9, other: 0.2, any: 0.4 } as const

/** By line: how extreme its numbers are where the goal asks for the most or least, or whether they are beyond its limit. */
export function scoreExtremes(read: ReadKinds, goal: Goal): Map<number, number> {
  const worth = new Map<number, number>()
  const [limit] = goal.comparisons
  const isOrdered = goal.order?.of === 'number'
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
          : WORTH.any
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

/** A column with a name goes through all kinds; so do sizes and times, the first of each line, the second. */
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
    const [, name = '', mark = '', clock, span, digits = '', plain = ''] = found
    const unit = span === undefined ? plain : 's'
    const number = digits === '' ? readSpan(clock ?? span ?? '') : Number(digits.replaceAll(',', ''))
    const isNamed = /[=:]/.test(mark)
    const factor = factorOf(unit)
    const add = (columns: Map<string, NumberColumn>, key: string): void => {
      const column = columns.get(key)
      if (column === undefined)
        columns.set(key, { values: [number], lines: [line], label: `${name} ${unit}`, factor })
      else {
        column.values.push(number * ((factor ?? 1) / (column.factor ?? factor ?? 1)))
        column.lines.push(line)
      }
    }
    if (isNamed) add(named, name)
    else add(ofKind, String(place))
    const measure = Number(IS_SIZE.test(unit))
    if (!isNamed && factor !== undefined) add(named, `${measure} ${places[measure]!++}`)
    place++
  }
}

const IS_SIZE = /b$|^bytes?$|^[kmgt]i?$/i

/** At least three values that don't just count up. */
function isMeasure({ values }: NumberColumn): boolean {
  if (values.length < LEAST) return false
  const different = new Set(values).size
  if (different < 3) return false
  let rising = 0
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) >= (values[i - 1] ?? 0)) rising++
  return !(rising > 0.97 * (values.length - 1) && different > values.length / 2)
}
