import * as fc from '../../../helpers/properties.ts'
import { expect, it } from 'vitest'
import {
  bitOf,
  CLASSES,
  createWordClasses,
} from '../../../../electron/engine/guardrails/orders/word-classes.ts'
import { HASH_START, hashOn } from '../../../../electron/engine/guardrails/orders/word-table.ts'
import { wordLines, type WordLists } from '../../../train/word-lines.ts'

const noWords: WordLists = Object.fromEntries(CLASSES.map((name) => [name, {}]))
const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength })
const hashOf = (word: string): number =>
  Array.from(word).reduce((hash, letter) => hashOn(hash, letter.charCodeAt(0)), HASH_START)

it('a word that no list has means what its stems do, of any length', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(letters(1, 5), letters(28, 36)), { maxLength: 12 }),
      fc.array(fc.oneof(letters(1, 8), letters(28, 40)), { maxLength: 12 }),
      (stems, words) => {
        const [drop, send] = [stems.slice(0, 6), stems.slice(6)].map((list) => list.map((stem) => `${stem}*`))
        const classes = createWordClasses(
          Buffer.from(wordLines({ ...noWords, drop: { en: drop ?? [] }, send: { en: send ?? [] } })),
        )
        for (const word of [...words, ...stems.map((stem) => `${stem}b`)]) {
          const codes = Uint16Array.from(word.toUpperCase(), (letter) => letter.charCodeAt(0))
          const number = classes.numberOf(hashOf(word), codes, 0, word.length)
          const expected = stems.reduce(
            (bits, stem, index) => (word.startsWith(stem) ? bits | bitOf(index < 6 ? 'drop' : 'send') : bits),
            0,
          )
          expect(classes.bitsOf(number, codes, 0, word.length) >>> 0).toBe(expected >>> 0)
        }
      },
    ),
  )
})
