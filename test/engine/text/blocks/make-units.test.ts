import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { makeUnits } from '../../../../electron/engine/text/blocks/make-units.ts'
import { parseBlocks } from '../../../../electron/engine/text/blocks/parse-blocks.ts'
import { splitSentences } from '../../../../electron/engine/text/blocks/split-sentences.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '))

describe('makeUnits', () => {
  test('a sentence of wrapped text is one unit, short lines stay apart', () => {
    const wrapped = `${'The first sentence goes on over the end of its line and\nends on the next one of the paragraph here. Another one is\n'.repeat(4)}short.`
    expect(makeUnits(parseBlocks(wrapped)).units[0]?.text).toMatch(/^The first sentence[^]*paragraph here\.$/)
  })

  test('text below a line with less indentation is below its heading', () => {
    const manual = Array.from(
      { length: 12 },
      (_, i) => `OPTION ${i}\n       What option ${i} does.\n\n       More of it.`,
    )
    const { units } = makeUnits(parseBlocks(manual.join('\n\n')))
    const more = units.findLastIndex(({ text }) => text.includes('More of it'))
    expect(units[units[more]?.needs[0] ?? -1]?.text).toBe('OPTION 11')
  })

  test('a comment is one unit with the line below it', () => {
    const entry = fc.record({
      comment: fc.array(words, { minLength: 1, maxLength: 3 }),
      key: word,
      value: word,
    })
    fc.assert(
      fc.property(fc.array(entry, { minLength: 3, maxLength: 12 }), (entries) => {
        const text = entries
          .map(({ comment, key, value }) =>
            [...comment.map((line) => `# ${line}`), `${key} = ${value}`].join('\n'),
          )
          .join('\n\n')
        for (const { text: unit } of makeUnits(parseBlocks(text)).units)
          expect(unit.split('\n').at(-1)).toMatch(/ = /)
      }),
    )
  })
})

test('pieces of a text are parts of it as they are', () => {
  const text = fc.array(fc.oneof(words, fc.constantFrom('\n', '. ', '! Aa ', ' e.g. ', '。')), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join('')
      let at = 0
      for (const piece of splitSentences(whole)) {
        const found = whole.indexOf(piece, at)
        expect(found).toBeGreaterThanOrEqual(at)
        at = found + piece.length
      }
    }),
  )
})
