import { describe, expect, it } from 'vitest'
import { fuzzGuards, fuzzLongTexts } from '../../helpers/fuzz-guards.ts'
import { rounds } from '../../helpers/rounds.ts'

// test/bench/fuzz-guards.ts covers a hundred thousand inputs and texts of a megabyte.
const COUNT = rounds(300)
const LENGTH = 20_000

describe('detectors, differences, masking and canonical JSON', () => {
  it('neither crash on random and hostile inputs nor answer wrongly, and none takes long', async () => {
    const reports = await fuzzGuards(COUNT, 20_261_122)
    expect(
      Object.fromEntries(Object.entries(reports).map(([name, { failures }]) => [name, failures])),
    ).toEqual({
      detectors: [],
      'describe-change': [],
      masking: [],
      'canonical JSON': [],
    })
  })

  it('get through long hostile texts', async () => {
    const reports = await fuzzLongTexts(LENGTH)
    for (const [name, { failures }] of Object.entries(reports)) expect([name, ...failures]).toEqual([name])
  })
})
