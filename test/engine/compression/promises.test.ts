import { afterAll, describe, expect, test } from 'vitest'
import { loadCompressor } from '../../../electron/engine/compression/load-compressor.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { fuzzCompression } from '../../helpers/fuzz-compression.ts'
import { readOwnCases } from '../../helpers/own-cases.ts'

const compress = await loadCompressor()
/** The first question of each kind. */
const inputs = [...Map.groupBy(readOwnCases(), ({ kind }) => kind).values()].flatMap(([first]) =>
  first === undefined ? [] : [{ text: first.text, goal: first.goal, budget: 300 }],
)
const expected = inputs.map((input) => compress(input).text)

describe('the same input gives the same bytes', () => {
  const pool = new WorkerPool({ logger: silentLogger, size: 2 })
  afterAll(() => pool.close())

  test('again and again, in any order', () => {
    for (let round = 0; round < 6; round++) {
      const order = inputs.map((_, i) => (i * 3 + round) % inputs.length)
      if (round % 2 === 1) order.reverse()
      for (const i of order) expect(compress(inputs[i]!).text).toBe(expected[i])
    }
  })

  test('from several threads at once', async () => {
    const answers = await Promise.all(
      [...inputs, ...inputs.toReversed()].map((input) => pool.run('compress', input)),
    )
    expect(answers.map(({ text }) => text)).toEqual([...expected, ...expected.toReversed()])
  })
})

test('mutated inputs: within the budget, never larger, no crash', () => {
  // Times are for test/bench/fuzz-compression.ts.
  const { faults } = fuzzCompression(compress, 150, 7)
  expect(faults.filter((fault) => !fault.endsWith(' ms'))).toEqual([])
})

test('the mark of a cut-off beginning may cost a token more than it looks', () => {
  const text = '\tx\n/ ….\n=\t-)å é\t"\n…… \t.é.- …"..““-)\n…..) (å=…..…)\n/é\t""x …éé …é.."-'.repeat(6)
  for (let budget = 1; budget < 30; budget++) {
    const { text: shown } = compress({ text, budget })
    expect(countTokens(shown)).toBeLessThanOrEqual(budget)
  }
})
