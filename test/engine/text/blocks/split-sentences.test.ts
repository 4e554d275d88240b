import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { splitSentences } from '../../../../electron/engine/text/blocks/split-sentences.ts'

const a = 'The first sentence is long enough to stand alone.'
const b = 'So is the second one, which has a comma in it.'

describe('splitSentences', () => {
  test('splits after a full stop, question mark or exclamation mark', () => {
    expect(splitSentences(`${a} ${b}`)).toEqual([a, b])
    expect(
      splitSentences('Does this question stand for itself, too? It really does, you can see it here!'),
    ).toHaveLength(2)
  })

  test.each([
    'Dr. Watson came in and told us a story about the war.',
    'They moved to the U.S. Senate in the year after the election.',
    'It was written by J. R. Smith in the winter of that year.',
    'The value is 3.14 and it will stay so for all of us here.',
  ])('does not split "%s"', (sentence) => {
    expect(splitSentences(`${sentence} ${b}`)).toEqual([sentence, b])
  })

  test('joins what is too short to say anything', () => {
    expect(splitSentences(`Yes. ${a}`)).toEqual([`Yes. ${a}`])
  })

  test('knows the full stops of other scripts', () => {
    const sentence =
      '火车明天早上从北京出发，下午到达上海，请提前半小时到站，不要忘记带上您的身份证件和车票。'
    expect(splitSentences(sentence + sentence)).toEqual([sentence, sentence])
  })

  test('a sentence of a script without blanks is shorter, and long ones are cut at their clauses', () => {
    expect(
      splitSentences(
        '图书馆每逢星期一全天闭馆休息。每位读者最多可以借十本书两周。请把要还的书放进门口的箱子。',
      ),
    ).toHaveLength(3)
    const clause = '会议室在三楼电梯出口右侧第二间请按时到场，'
    const pieces = splitSentences(`${clause.repeat(12)}谢谢。`)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.slice(0, -1).every((piece) => piece.endsWith('，') && piece.length <= 125)).toBe(true)
  })

  test('knows abbreviations of single letters', () => {
    const sentence = 'Starten Sie den Server (z. B. Uvicorn oder d. h. einen anderen) nach jedem Fehler neu.'
    expect(splitSentences(`${sentence} ${sentence}`)).toEqual([sentence, sentence])
  })

  test('cuts a message of one line between its segments', () => {
    const segments = Array.from({ length: 90 }, (_, i) => `LIN+${i}++40123450${1000 + i}:EN'`)
    const pieces = splitSentences(segments.join(''))
    expect(pieces.length).toBeGreaterThan(9)
    expect(pieces.every((piece) => piece.endsWith("'"))).toBe(true)
    expect(pieces.join('')).toBe(segments.join(''))
  })

  test('loses no character but blanks, and never returns an endless piece', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', '.', '! ', ' ', '\n', 'A', '"', '…', '。', '😀', 'x'.repeat(700)), {
          maxLength: 80,
        }),
        (parts) => {
          const text = parts.join('')
          const sentences = splitSentences(text)
          expect(sentences.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
          for (const sentence of sentences) expect(sentence.length).toBeLessThanOrEqual(2300)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('cuts what is too long between words, at a new line as at a space', () => {
    const words = Array.from({ length: 900 }, (_, i) => `player${i}\n${i}`)
    for (const blank of ['\n', '\t', ' ', '\u3000']) {
      const pieces = splitSentences(words.join(blank))
      expect(pieces.length).toBeGreaterThan(1)
      expect(pieces.flatMap((piece) => piece.split(/\s/))).toEqual(words.join(blank).split(/\s/))
    }
  })
})
