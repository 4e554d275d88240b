import { childrenOf, endOf, kindOf, NODE, sourceOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

/** Longer lists are described, not listed. */
const NUMBERS = 16
const POINTS = 8
/** Characters printed unchanged. */
const SHORT = 160

/** Numbers, or [time, number] points like Prometheus and charting services return. */
export function isSeries(document: JsonDocument, node: number): boolean {
  if (kindOf(document, node) !== NODE.array) return false
  let numbers = 0
  let points = 0
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child)) {
    if (kindOf(document, child) === NODE.number) numbers++
    else if (isPoint(document, child)) points++
    else return false
    if (numbers > 0 && points > 0) return false
  }
  return numbers >= NUMBERS || points >= POINTS
}

function isPoint(document: JsonDocument, node: number): boolean {
  if (kindOf(document, node) !== NODE.array || endOf(document, node) !== node + 3) return false
  if (kindOf(document, node + 1) !== NODE.number) return false
  const kind = kindOf(document, node + 2)
  return (
    kind === NODE.number || (kind === NODE.string && isFinite(Number(valueOf(document, node + 2) || 'x')))
  )
}

/**
 * Valid JSON: count, first, smallest and largest with indexes (from 0), mean, course, last values. Numbers are
 * copied.
 */
export function describeSeries(document: JsonDocument, node: number): string {
  const elements = childrenOf(document, node)
  const ofPoints = kindOf(document, elements[0] ?? node) === NODE.array
  const values = elements.map((element) => Number(valueOf(document, ofPoints ? element + 2 : element)))
  const texts = elements.map((element) => minified(document, element, ofPoints))
  const whole = `[${texts.join(',')}]`
  if (whole.length <= SHORT) return whole

  let least = 0
  let most = 0
  let sum = 0
  values.forEach((value, index) => {
    if (value < (values[least] ?? value)) least = index
    if (value > (values[most] ?? value)) most = index
    sum += value
  })
  const mean = Number((sum / values.length).toPrecision(4))
  const at = (index: number): string => texts[index] ?? 'null'
  return (
    `{"${ofPoints ? 'points' : 'numbers'}":${values.length},"first":${at(0)},"min":${at(least)},"min at":${least},` +
    `"max":${at(most)},"max at":${most},"mean":${mean},"course":"${courseOf(values)}",` +
    `"last":[${texts.slice(-3).join(',')}]}`
  )
}

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
