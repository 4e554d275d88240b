import { CHUNK, copied, copyUnits } from '../code-units.ts'
import { classes, classOf, OTHER, RUN_CLASSES, RUN_LENGTHS } from './run-classes.ts'

/**
 * Average tokens of runs, by class (rows) and length 1, 2, 3 …; the last column is the share of each further
 * character. Fitted by test/bench/fit-token-estimate.ts, except the first two rows' last column: data words hardly
 * exceed the table, and a megabyte of one letter isn't one word.
 */
const TABLE = Float64Array.from([
  0.76, 0.76, 0.88, 0.78, 0.8, 0.7, 0.84, 0.82, 0.72, 1.06, 1.89, 2.19, 2.38, 0.15, 0.24, 0.86, 1.5, 2.43,
  1.65, 0.16, 0.0, 0.17, 0.0, 0.06, 3.56, 3.05, 3.25, 0.3, 1.73, 1.26, 1.45, 2.58, 2.48, 0.82, 2.74, 3.34,
  3.38, 3.65, 3.87, 4.14, 4.95, 0.73, 0.25, 1.24, 1.88, 0.78, 0.84, 0.93, 2.08, 1.08, 0.58, 1.0, 0.23, 0.89,
  0.66, 0.02, 0.15, 0.68, 0.64, 0.28, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.05, 0.71, 1.25,
  1.23, 1.08, 2.44, 2.06, 1.87, 1.78, 1.89, 2.65, 3.43, 2.85, 2.66, 0.05, 0.0, 1.25, 1.5, 2.0, 2.5, 3.0, 3.5,
  4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 0.5, 0.92, 1.12, 0.63, 1.31, 0.0, 0.0, 0.0, 3.66, 2.96, 3.75, 3.95, 3.16,
  4.57, 0.4, 2.42, 1.91, 2.24, 2.98, 4.09, 5.07, 5.6, 6.4, 7.2, 8.0, 8.8, 9.6, 9.44, 1.87,
])

/**
 * The table as a state machine: the state is the run's class and length, `steps` gives the next state per class,
 * `gains` the character's cost in hundredths. Searching for run ends takes three times as long.
 */
const STATES = RUN_CLASSES * RUN_LENGTHS
const FIRST = STATES * RUN_CLASSES
const steps = new Uint16Array(FIRST + RUN_CLASSES)
const gains = new Int32Array(FIRST)
for (let kind = 0; kind < RUN_CLASSES; kind++) {
  const row = kind * RUN_LENGTHS
  const hundredths = (column: number) => Math.round((TABLE[row + column] ?? 0) * 100)
  steps[FIRST + kind] = row * RUN_CLASSES
  for (let column = 0; column < RUN_LENGTHS; column++) {
    const state = (row + column) * RUN_CLASSES
    for (let next = 0; next < RUN_CLASSES; next++)
      steps[state + next] = next === kind ? state : next * RUN_LENGTHS * RUN_CLASSES
    if (column < RUN_LENGTHS - 1) steps[state + kind] = state + RUN_CLASSES
    const isFurther = column === 0 || column === RUN_LENGTHS - 1
    gains[state] = hundredths(column) - (isFurther ? 0 : hundredths(column - 1))
  }
}

/** Step (lower half) and gain: one look-up per character. */
const moves = Int32Array.from(steps, (state) => ((gains[state] ?? 0) << 16) | state)

/**
 * Estimates o200k_base tokens without encoding: one pass, within a few percent. Steps depend on their predecessors,
 * so both halves of a chunk are read in parallel.
 */
export const estimateTokens = (text: string, start = 0, end = text.length): number =>
  Math.ceil(estimateHundredths(text, start, end) / 100)

/** In hundredths, because rounded-up short parts would add up to far more than the whole. */
export function estimateHundredths(text: string, start: number, end: number): number {
  state = FIRST
  gained = 0
  for (let from = start; from < end; from += CHUNK) {
    const length = Math.min(CHUNK, end - from)
    copyUnits(text, from, from + length)
    const middle = length < HALVED_FROM ? length : nextRun(length >> 1, length)
    const both = Math.min(middle, length - middle)
    if (both > 0) readBoth(middle, both)
    readOn(both, middle)
    if (middle === length) continue
    state = second
    readOn(middle + both, length)
  }
  return gained
}

/** Shorter parts aren't halved. */
const HALVED_FROM = 64

// State of the scan and its second half; the sum in hundredths. Separate loops: V8 leaves an inner loop's fast code
// at its end.
let state = FIRST
let second = FIRST
let gained = 0

function readOn(from: number, to: number): void {
  let at = state
  let sum = 0
  for (let i = from; i < to; i++) {
    const move = moves[at + (classes[copied[i] ?? 0] ?? OTHER)] ?? FIRST
    at = move & 0xffff
    sum += move >> 16
  }
  state = at
  gained += sum
}

/** Reads equally many code units from the start and the middle. */
function readBoth(middle: number, count: number): void {
  let [at, other] = [state, FIRST]
  let sum = 0
  for (let i = 0; i < count; i++) {
    const move = moves[at + (classes[copied[i] ?? 0] ?? OTHER)] ?? FIRST
    const next = moves[other + (classes[copied[middle + i] ?? 0] ?? OTHER)] ?? FIRST
    at = move & 0xffff
    other = next & 0xffff
    sum += (move >> 16) + (next >> 16)
  }
  state = at
  second = other
  gained += sum
}

/** First run start from `at` on: earlier characters don't affect the rest. */
function nextRun(at: number, length: number): number {
  const kind = classOf(copied[at - 1] ?? 0)
  let i = at
  while (i < length && classOf(copied[i] ?? 0) === kind) i++
  return i
}
