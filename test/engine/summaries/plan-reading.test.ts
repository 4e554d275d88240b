import { expect, it } from 'vitest'
import { longestPrompt, slowdownAt, type ModelCapacity } from '../../../electron/engine/models/text-model.ts'
import { planReading } from '../../../electron/engine/summaries/plan-reading.ts'

const plan = (
  capacity: Partial<ModelCapacity>,
  wish: { document?: number; output?: number; seconds?: number; pace?: number } = {},
) =>
  planReading({
    capacity: {
      contextTokens: undefined,
      promptTokensPerSecond: undefined,
      outputTokensPerSecond: undefined,
      charactersPerToken: undefined,
      ...capacity,
    },
    longestPrompt,
    slowdownAt,
    documentTokens: wish.document ?? 50_000,
    outputTokens: wish.output ?? 100,
    aroundTokens: 300,
    withinMs: (wish.seconds ?? 10) * 1000,
    pace: wish.pace ?? 1,
  })

it('reads as much as measured speeds allow in the time, and no more', () => {
  const slow = { promptTokensPerSecond: 200, outputTokensPerSecond: 25, contextTokens: 4096 }
  // 8 of 10 s are the model's: 4 s for 100 answer tokens, 4 s for 800 prompt tokens, 300 of them rules.
  expect(plan(slow)).toEqual({ promptTokens: 500, outputTokens: 100, parts: 1 })
  expect(plan({ ...slow, promptTokensPerSecond: 400 })).toEqual({
    promptTokens: 1300,
    outputTokens: 100,
    parts: 1,
  })
  expect(plan(slow, { seconds: 20 })).toEqual({ promptTokens: 2100, outputTokens: 100, parts: 1 })
  expect(plan(slow, { document: 180 })).toEqual({ promptTokens: 180, outputTokens: 100, parts: 1 })
})

it('writes less where writing is slow, and nothing where it can not', () => {
  const capacity = { promptTokensPerSecond: 500, outputTokensPerSecond: 10, contextTokens: 4096 }
  expect(plan(capacity)).toMatchObject({ outputTokens: 40 })
  expect(plan({ ...capacity, outputTokensPerSecond: 2 })).toEqual({
    reason: 'it writes 2 tokens a second, too few for the time limit',
  })
  expect(plan({ ...capacity, promptTokensPerSecond: 50, outputTokensPerSecond: 25 })).toEqual({
    reason: 'it reads 50 tokens a second, too few for the time limit',
  })
  expect(plan({ promptTokensPerSecond: 5000, outputTokensPerSecond: 500, contextTokens: 512 })).toEqual({
    reason: 'its window of 512 tokens is too small',
  })
})

it('reads in parts where the window, not the time, is the limit', () => {
  const fast = { promptTokensPerSecond: 5000, outputTokensPerSecond: 200, contextTokens: 4096 }
  expect(plan(fast)).toEqual({ promptTokens: 3696, outputTokens: 100, parts: 5 })
  expect(plan(fast, { document: 7000 })).toMatchObject({ parts: 2 })
  expect(plan(fast, { document: 3000 })).toEqual({ promptTokens: 3000, outputTokens: 100, parts: 1 })
  expect(plan(fast, { seconds: 3 })).toMatchObject({ parts: 1 })
})

it('guesses until speeds are known, and asks less of a model that was late', () => {
  expect(plan({})).toMatchObject({ parts: 1, outputTokens: 60 })
  const [first, second] = [plan({}), plan({}, { pace: 0.5 })]
  expect('promptTokens' in first && 'promptTokens' in second && second.promptTokens * 2).toBe(
    'promptTokens' in first && first.promptTokens,
  )
})
