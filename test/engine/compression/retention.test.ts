import { expect, test } from 'vitest'
import { loadCompressor } from '../../../electron/engine/compression/load-compressor.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { keptOf, readOwnCases } from '../../helpers/own-cases.ts'

/** Percent that must be left at 1,000 tokens: about five below what `npm run bench -- --only retention` shows. */
const FLOORS: Readonly<Record<string, number>> = {
  'number-arrays': 93,
  diff: 88,
  report: 90,
  build: 95,
  infrastructure: 90,
  'chinese-japanese': 95,
  'chinese-long': 95,
  'japanese-long': 90,
  mixed: 88,
  source: 81,
}

const compress = await loadCompressor()
const groups = Map.groupBy(readOwnCases(), ({ kind }) => kind)

test('every kind of the own cases has a floor, and at least 15 cases', () => {
  expect([...groups.keys()].toSorted()).toEqual(Object.keys(FLOORS).toSorted())
  for (const cases of groups.values()) expect(cases.length).toBeGreaterThanOrEqual(15)
})

test.each([...groups])('%s: what the cases ask for is left at 1,000 tokens', (kind, cases) => {
  const lost: string[] = []
  let kept = 0
  for (const one of cases) {
    const { text, tokensAfter } = compress({ text: one.text, goal: one.goal, budget: 1000 })
    expect(tokensAfter).toBe(countTokens(text))
    expect(tokensAfter, one.document).toBeLessThanOrEqual(1000)
    const share = keptOf(one, text)
    if (share < 1) lost.push(`${one.document}: ${one.goal ?? 'no goal'}`)
    kept += share
  }
  expect((100 * kept) / cases.length, lost.join('\n')).toBeGreaterThanOrEqual(FLOORS[kind] ?? 100)
})
