import { childrenOf, endOf, kindOf, NODE, parentOf, sourceOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

/** Longer lists are described, not listed. */
const NUMBERS = 16
const POINTS = 8
/** Objects and lists around a list, in which its axis is looked for. */
const LEVELS = 4
/** Characters printed unchanged. */
const SHORT = 160

/** Numbers and nulls, their dates beside them, or [time, number] points like Prometheus and charting services return. */
export function isSeries(document: JsonDocument, node: number): boolean {
  if (kindOf(document, node) !== NODE.array) return false
  let numbers = 0
  let points = 0
  let dates = 0
  let nulls = 0
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child)) {
    if (kindOf(document, child) === NODE.number) numbers++
    else if (kindOf(document, child) === NODE.null) nulls++
    else if (isPoint(document, child)) points++
    else if (isDate(document, child)) dates++
    else return false
    if (Number(numbers > 0) + Number(points > 0) + Number(dates > 0) > 1) return false
  }
  if (nulls > 0) return numbers >= NUMBERS
  return numbers >= NUMBERS || points >= POINTS || (dates >= NUMBERS && isAxis(document, node, dates))
}

/** Numbers as many are in the same object. */
function isAxis(document: JsonDocument, node: number, length: number): boolean {
  return listsBeside(document, node, length).some((elements) =>
    elements.some((element) => kindOf(document, element) === NODE.number),
  )
}

/** Elements of the other lists in the same object that are as long. */
function listsBeside(document: JsonDocument, node: number, length: number): number[][] {
  const parent = parentOf(document, node)
  if (parent < 0 || kindOf(document, parent) !== NODE.object) return []
  return childrenOf(document, parent)
    .filter((other) => other !== node && kindOf(document, other) === NODE.array)
    .map((other) => childrenOf(document, other))
    .filter((elements) => elements.length === length)
}

const isDate = (document: JsonDocument, node: number): boolean =>
  kindOf(document, node) === NODE.string &&
  DATE.test(document.text.slice((document.starts[node] ?? 0) + 1, (document.starts[node] ?? 0) + 9))
const DATE = /^\d{4}-\d\d(?:[-"]|$)/

function isPoint(document: JsonDocument, node: number): boolean {
  if (kindOf(document, node) !== NODE.array || endOf(document, node) !== node + 3) return false
  if (kindOf(document, node + 1) !== NODE.number) return false
  const kind = kindOf(document, node + 2)
  return (
    kind === NODE.number || (kind === NODE.string && isFinite(Number(valueOf(document, node + 2) || 'x')))
  )
}

/**
 * Valid JSON: count, first, smallest and largest with what a list beside it has there (its times, its names) or indexes
 * (from 0), mean, course, last values. Numbers are copied.
 */
export function describeSeries(document: JsonDocument, node: number): string {
  const elements = childrenOf(document, node)
  if (isDate(document, elements[0] ?? node)) return describeDates(document, elements)
  const ofPoints = kindOf(document, elements[0] ?? node) === NODE.array
  const values = elements.map((element) =>
    kindOf(document, element) === NODE.null
      ? NaN
      : Number(valueOf(document, ofPoints ? element + 2 : element)),
  )
  const known = values.filter((value) => !Number.isNaN(value))
  const texts = elements.map((element) => minified(document, element, ofPoints))
  const whole = `[${texts.join(',')}]`
  if (whole.length <= SHORT) return whole

  const least = values.indexOf(known.reduce((one, other) => Math.min(one, other), Infinity))
  const most = values.indexOf(known.reduce((one, other) => Math.max(one, other), -Infinity))
  const mean = Number((known.reduce((sum, value) => sum + value, 0) / known.length).toPrecision(4))
  const nulls = values.length > known.length ? `"nulls":${values.length - known.length},` : ''
  const at = (index: number): string => texts[index] ?? 'null'
  const axis = ofPoints ? [] : axisBeside(document, node, elements.length)
  const placeOf = (index: number): string =>
    axis[index] === undefined ? `${index}` : sourceOf(document, axis[index])
  return (
    `{"${ofPoints ? 'points' : 'numbers'}":${values.length},${nulls}"first":${at(0)},"min":${at(least)},"min at":${placeOf(least)},` +
    `"max":${at(most)},"max at":${placeOf(most)},"mean":${mean},"course":"${courseOf(known)}",` +
    `"last":[${texts.slice(-3).join(',')}]}`
  )
}

function describeDates(document: JsonDocument, elements: readonly number[]): string {
  const at = (index: number): string => sourceOf(document, elements.at(index) ?? 0)
  return `{"dates":${elements.length},"first":${at(0)},"last":${at(-1)}}`
}

/** A list of strings, or of rising numbers, as long as this one, in the same object or one around it: what the numbers are of. */
function axisBeside(document: JsonDocument, node: number, length: number): readonly number[] {
  let inside = node
  for (let level = 0; level < LEVELS && inside >= 0; level++) {
    const axis = listsBeside(document, inside, length).find(
      (elements) => areStrings(document, elements) || areRising(document, elements),
    )
    if (axis !== undefined) return axis
    inside = parentOf(document, inside)
  }
  return []
}

const areStrings = (document: JsonDocument, elements: readonly number[]): boolean =>
  elements.every((element) => kindOf(document, element) === NODE.string)
const areRising = (document: JsonDocument, elements: readonly number[]): boolean =>
  elements.every(
    (element, i) =>
      kindOf(document, element) === NODE.number &&
      (i === 0 || Number(valueOf(document, element)) > Number(valueOf(document, elements[i - 1] ?? 0))),
  )

function minified(document: JsonDocument, node: number, isPoint: boolean): string {
  return isPoint
    ? `[${sourceOf(document, node + 1)},${sourceOf(document, node + 2)}]`
    : sourceOf(document, node)
}

/** Compares the means of the first and last quarter with the overall spread. */
function courseOf(values: readonly number[]): string {
  const quarter = Math.max(1, values.length >> 2)
  const meanOf = (part: readonly number[]): number =>
    part.reduce((sum, value) => sum + value, 0) / part.length
  const mean = meanOf(values)
  const spread = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
  if (spread === 0) return 'constant'
  const change = meanOf(values.slice(-quarter)) - meanOf(values.slice(0, quarter))
  if (Math.abs(change) < 0.5 * spread) return 'level'
  return change > 0 ? 'rising' : 'falling'
}
