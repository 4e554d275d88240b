import { expect, it } from 'vitest'
import { fitContext, memoryNeed } from '../../../electron/engine/models/local/memory-need.ts'
import { threadCounts } from '../../../electron/engine/models/local/machine.ts'
import { usableMemory } from '../../../electron/engine/models/local/usable-memory.ts'
import { longestPrompt, measuredReach, slowdownAt } from '../../../electron/engine/models/text-model.ts'

const measured = { promptTokensPerSecond: 100, outputTokensPerSecond: 20, charactersPerToken: 4 }

it('reckons the longest prompt from measured speeds: time first, then the window', () => {
  const wanted = { outputTokens: 100, withinMs: 10_000 }
  // 100 tokens are written in 5 s, which leaves 5 s for reading.
  expect(longestPrompt({ ...measured, contextTokens: 4096 }, wanted)).toBe(500)
  expect(longestPrompt({ ...measured, contextTokens: 400 }, wanted)).toBe(300)
  expect(longestPrompt({ ...measured, contextTokens: undefined }, wanted)).toBe(500)
  expect(longestPrompt({ ...measured, contextTokens: 4096 }, { outputTokens: 500, withinMs: 10_000 })).toBe(0)
  const unknown = { ...measured, promptTokensPerSecond: undefined }
  expect(longestPrompt({ ...unknown, contextTokens: 4096 }, wanted)).toBe(3996)
  expect(longestPrompt({ ...unknown, contextTokens: undefined }, wanted)).toBeUndefined()
  // Only measured values are shown, and the assumed window.
  expect(measuredReach({ ...unknown, contextTokens: 4096 }, wanted)).toBeUndefined()
  expect(measuredReach({ ...measured, contextTokens: 4096 }, wanted)).toMatchObject({ tokens: 500 })
  // Long prompts are read more slowly, so fewer tokens: 5 s at 100/s, of which 309 tokens take 3.09 × 1.62.
  const slowing = { ...measured, readsHalfAsFastAt: 500, contextTokens: 4096 }
  expect(longestPrompt(slowing, wanted)).toBe(309)
  expect((309 / 100) * slowdownAt(309, slowing)).toBeCloseTo(5, 2)
  expect(slowdownAt(309, {})).toBe(1)
  const fast = { ...measured, promptTokensPerSecond: 1e6, contextTokens: undefined }
  expect(measuredReach(fast, wanted)).toEqual({ tokens: 3996, assumedWindow: 4096 })
})

it('takes the largest context that fits into memory, or none', () => {
  const sizes = { fileBytes: 640e6, bytesPerToken: 114_688, vocabulary: 151_936, contextTokens: 40_960 }
  expect(fitContext(sizes, 4096, 8e9)).toMatchObject({ fits: true, contextTokens: 4096 })
  const tight = memoryNeed(sizes, 2100)
  expect(fitContext(sizes, 4096, tight)).toMatchObject({ fits: true, contextTokens: 2048 })
  expect(fitContext(sizes, 4096, memoryNeed(sizes, 1023))).toMatchObject({ fits: false })
  expect(fitContext({ ...sizes, contextTokens: 512 }, 4096, 8e9)).toMatchObject({ contextTokens: 512 })
})

it('tries each sensible number of threads once, the safest first', () => {
  expect(threadCounts(1, 'cpu')).toEqual([1])
  expect(threadCounts(2, 'cpu')).toEqual([1, 2])
  expect(threadCounts(8, 'cpu')).toEqual([7, 4, 1, 8])
  expect(threadCounts(16, 'cuda')).toEqual([4])
})

it('believes macOS only as far as it counts files as used', () => {
  expect(usableMemory({ platform: 'darwin', total: 16e9, available: 0.2e9 })).toBe(6.4e9)
  expect(usableMemory({ platform: 'linux', total: 16e9, available: 0.2e9 })).toBe(0.2e9)
})
