import * as fc from '../../../helpers/properties.ts'
import { expect, it } from 'vitest'
import { arraysIn, roomFor, type Take } from '../../../../electron/engine/guardrails/orders/shared-arrays.ts'
import {
  HASH_START,
  hashOn,
  takeWordArrays,
  WordTable,
} from '../../../../electron/engine/guardrails/orders/word-table.ts'

const codesOf = (text: string): Uint16Array => Uint16Array.from(text, (letter) => letter.charCodeAt(0))
const hashOf = (word: string): number =>
  Array.from(word).reduce((hash, letter) => hashOn(hash, letter.charCodeAt(0)), HASH_START)
const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 60 })

it('gives each word one number, and other words none', () => {
  fc.assert(
    fc.property(words, words, (listed, others) => {
      const take = (next: Take) => takeWordArrays(next, listed.length + 2)
      const table = new WordTable(Buffer.from(listed.join('')), arraysIn(roomFor(take), take), 2)
      const numbers = new Map<string, number>()
      let start = 0
      for (const word of listed) {
        const number = table.add(hashOf(word), start, word.length)
        expect(number).toBe(numbers.get(word) ?? numbers.size + 2)
        numbers.set(word, number)
        start += word.length
      }
      for (const word of [...listed, ...others]) {
        const found = table.find(hashOf(word), codesOf(`x${word.toUpperCase()}`), 1, word.length, 32)
        expect(found).toBe(numbers.get(word) ?? 0)
        if (found !== 0) expect(table.find(hashOf(word), codesOf(word), 0, word.length, 0)).toBe(found)
      }
    }),
  )
})
