import { expect, it } from 'vitest'
import { oddLines } from '../../../../electron/engine/compression/lines/odd-lines.ts'
import { readKinds } from '../../../../electron/engine/compression/lines/read-kinds.ts'
import { linesStrategy } from '../../../../electron/engine/compression/strategies/log.ts'

const counters = (overruns: readonly number[]): string =>
  overruns
    .flatMap((overrun, i) => [
      `Interface Port${i} is up`,
      `    Hardware is bcm${i}, BW 1000 Mbps`,
      `    ${i * 977} packets input, ${overrun} overrun, 0 ignored`,
    ])
    .join('\n')
const zeros = Array.from({ length: 30 }, () => 0)

it('finds the line with the largest number where nearly all others have 0', () => {
  const text = counters(zeros.with(7, 50_017).with(19, 457_910_371))
  const all = Array.from({ length: 30 }, (_, i) => i * 3 + 2)
  expect(oddLines(readKinds(text), all)).toEqual([19 * 3 + 2])
  expect(oddLines(readKinds(counters(zeros)), all)).toEqual([])
  expect(oddLines(readKinds(text), all.slice(0, 5))).toEqual([])
})

it('an overview shows it beside what all share', () => {
  const text = counters(zeros.with(19, 457_910_371))
  expect(linesStrategy.compress({ text, goal: undefined, budget: 150 })?.text).toContain('457910371 overrun')
})
