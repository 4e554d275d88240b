import { describe, expect, test } from 'vitest'
import { didYouMean, nearest } from '../../../electron/engine/ground/nearest.ts'

describe('nearest', () => {
  test.each([
    ['comand', 'command'],
    ['commnad', 'command'],
    ['COMMAND', 'command'],
    ['commandx', 'command'],
    ['evn', 'env'],
    ['arg', 'args'],
    ['comm', 'command'],
    ['co', undefined],
    ['zzzzzz', undefined],
    ['', undefined],
  ])('%s → %s', (word, expected) => {
    expect(nearest(word, ['args', 'command', 'env'])).toBe(expected)
  })

  test('the first of equally near ones, and nothing of nothing', () => {
    expect(nearest('ab', ['ac', 'ad'])).toBe('ac')
    expect(nearest('ab', [])).toBeUndefined()
    expect(didYouMean('ab', [])).toBe('')
    expect(didYouMean('comand', ['command'])).toBe(' Did you mean "command"?')
  })
})
