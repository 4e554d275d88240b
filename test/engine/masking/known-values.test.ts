import { expect, test } from 'vitest'
import { KnownValues } from '../../../electron/engine/masking/known-values.ts'

const VALUES = ['450-0840', '+49 (0)341', 'Zoë', 'a1', '_x', 'a1 b2', '日本', '...', '😀7']
const PIECES = [...VALUES, ' ', '-', 'a', '1', 'é', '.', 'Zo', '\n', '0840', '_']

/** A fixed sequence. */
function* numbers(): Generator<number, never> {
  for (let state = 7; ;) yield (state = (state * 48271) % 2147483647)
}

test('few values are found one by one, many by their first words: at the same places', () => {
  const next = numbers()
  const pick = <T>(from: readonly T[]): T => from[next.next().value % from.length] as T
  for (let round = 0; round < 2000; round++) {
    const values = Array.from({ length: 3 }, () => pick(VALUES))
    const text = Array.from({ length: 12 }, () => pick(PIECES)).join('')
    const few = new KnownValues()
    const many = new KnownValues()
    for (const value of values) {
      few.add({ type: 'phone', value })
      many.add({ type: 'phone', value })
    }
    for (let i = 0; i < 10; i++) many.add({ type: 'ssn', value: `nowhere${i}` })
    expect(few.find(text), JSON.stringify({ text, values })).toEqual(many.find(text))
  }
})
