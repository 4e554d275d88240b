import { describe, expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'

const NAMES = Array.from(
  { length: 24 },
  (_, i) => `rounds ${['sums', 'taxes', 'rates', 'fees'][i % 4]} of order ${100 + i}`,
)
const FAILED = [2, 7, 11, 19]
const why = (i: number): string => `wanted ${i * 3}.50 but was ${i * 3}.49`
const trace = (i: number): string =>
  Array.from({ length: 12 }, (_, line) => `at step ${line} of ledger/round-${i}.kt line ${40 + line}`).join(
    '\n',
  )

describe('records with a part that only failing ones have come first, whatever it says', () => {
  const expectAll = (text: string | undefined): void => {
    for (const i of FAILED) expect(text).toContain(why(i))
    for (const i of FAILED) expect(text).toContain(NAMES[i])
  }

  test('in XML', () => {
    const cases = NAMES.map((name, i) =>
      FAILED.includes(i)
        ? `<case title="${name}" took="0.${i}"><fault text="${why(i)}">${trace(i)}</fault></case>`
        : `<case title="${name}" took="0.${i}"/>`,
    )
    expectAll(
      recordsStrategy.compress({
        text: `<run>${cases.join('\n')}</run>`,
        goal: 'which cases failed',
        budget: 320,
      })?.text,
    )
  })

  test('in JSON', () => {
    const checks = NAMES.map((title, i) => ({
      title,
      took: i / 100,
      error: FAILED.includes(i) ? { says: why(i), trace: trace(i) } : null,
    }))
    expectAll(
      jsonStrategy.compress({ text: JSON.stringify({ checks }), goal: 'what failed', budget: 320 })?.text,
    )
  })
})

test('room that is left shows the beginning of a text that does not fit', () => {
  const notes = ['lilac', 'maple', 'tulip'].map((plant) => ({
    by: `${plant}-desk`,
    note: `Of the ${plant}: ${Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ')}`.slice(0, 400),
  }))
  const text = JSON.stringify({ notes })
  const shown = jsonStrategy.compress({ text, goal: 'what is said of the maple', budget: 110 })?.text ?? ''
  expect(shown).toContain('Of the maple: word0 word1')
  expect(shown).toContain('…')
})
