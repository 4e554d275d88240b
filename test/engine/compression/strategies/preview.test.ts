import { describe, expect, test } from 'vitest'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'
import { previewStrategy } from '../../../../electron/engine/compression/strategies/preview.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const story = Array.from({ length: 200 }, (_, i) => `Sentence number ${i} of a long story.`).join(' ')

describeStrategyContract(previewStrategy, { texts: [story, 'AAAA '.repeat(3000)], goals: ['sentence 7'] })

describe('preview', () => {
  test('gives the beginning and says how much is missing', () => {
    const output = previewStrategy.compress({ text: story, goal: undefined, budget: 60 })
    expect(output?.text.startsWith('Sentence number 0 of a long story.')).toBe(true)
    expect(output?.text.endsWith('…')).toBe(true)
    expect(output?.omitted).toMatch(/^about \d+ tokens/)
  })

  test.each([
    ['deep lists', '['.repeat(5000) + ']'.repeat(5000)],
    ['family emoji', '👩‍👩‍👧'.repeat(900)],
  ])('says how much comes after, of %s too', (_, text) => {
    const output = previewStrategy.compress({ text, goal: undefined, budget: 100 })
    const left = Number(/about (\d+)/.exec(output?.omitted ?? '')?.[1])
    const all = countTokens(text)
    expect(left).toBeLessThan(all)
    expect(left).toBeGreaterThan(all - 130)
  })
})
