import * as fc from '../../helpers/properties.ts'
import { expect, it } from 'vitest'
import { codesOf } from '../../../electron/engine/guardrails/text-codes.ts'

const unitsOf = (text: string): number[] => [
  ...Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
  0,
]
const read = (text: string): number[] => Array.from(codesOf(text).subarray(0, text.length + 1))

it('are the units of a text and a 0, whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), (texts) => {
      for (const text of texts) expect(read(text)).toEqual(unitsOf(text))
    }),
  )
  for (const length of [0, 20_000, 3, 300_000, 5, 16_384, 16_383, 1]) {
    const text = 'a\ud800é'.repeat(length).slice(0, length)
    expect(read(text)).toEqual(unitsOf(text))
  }
})
