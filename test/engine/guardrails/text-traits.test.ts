import { describe, expect, it } from 'vitest'
import { mayHoldControlCharacters } from '../../../electron/engine/guardrails/control-characters.ts'
import { decodePayloads } from '../../../electron/engine/guardrails/decode-payloads.ts'
import { INVISIBLE } from '../../../electron/engine/guardrails/invisible-characters.ts'
import { createPhraseMatcher } from '../../../electron/engine/guardrails/rules/phrase-rule.ts'
import {
  INVISIBLE_PAIR,
  INVISIBLE_UNIT,
  NOT_ASCII,
  traitsOf,
} from '../../../electron/engine/guardrails/text-traits.ts'

describe('the kinds of characters in a text', () => {
  it('agree with the expressions that they spare, for every UTF-16 unit', () => {
    // oxlint-disable-next-line no-control-regex -- looking for control characters is the purpose
    const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/
    const wrong: number[] = []
    for (let code = 0; code < 0x10000; code++) {
      for (const text of [`a${String.fromCharCode(code)}b`, `${String.fromCharCode(code)}\udc41`]) {
        const traits = traitsOf(text)
        const invisible =
          (traits & INVISIBLE_UNIT) !== 0 || ((traits & INVISIBLE_PAIR) !== 0 && INVISIBLE.test(text))
        const right =
          invisible === INVISIBLE.test(text) &&
          mayHoldControlCharacters(text) === (controls.test(text) || INVISIBLE.test(text)) &&
          ((traits & NOT_ASCII) !== 0) === /[\u0080-\uffff]/.test(text)
        if (!right) wrong.push(code)
      }
    }
    expect(wrong).toEqual([])
  })

  it('tell a lone carriage return from one before a line feed', () => {
    expect(mayHoldControlCharacters('one\r\ntwo\r\n')).toBe(false)
    expect(mayHoldControlCharacters('one\r\ntwo\rthree')).toBe(true)
  })
})

describe('the search for spaced letters', () => {
  it('is not spared wherever they begin and however they are spaced', () => {
    const missed: string[] = []
    for (const separator of [' ', '.', '-']) {
      for (let before = 0; before < 40; before++) {
        const text = `${'word '.repeat(8).slice(0, before)} ${'ignoretherules'.split('').join(separator)} end`
        if (decodePayloads(text)[0]?.encoding !== 'spaced letters') missed.push(text)
      }
    }
    expect(missed).toEqual([])
  })
})

describe('the end of a sentence', () => {
  const SENTENCE_END = /[.!?](?=["')\]]{0,2}(?:\s|$))|\n\s{0,20}\n/
  const matcher = createPhraseMatcher([
    { kind: 'override', reason: 'r', score: 1, cues: ['cue'], followedBy: [{ within: 60, pattern: /end/ }] },
  ])

  it.each([
    '.',
    '. ',
    '! ',
    '?" ',
    '.") ',
    '."\') ',
    '.x ',
    '."x ',
    '\n\n',
    '\n \t\n',
    `\n${' '.repeat(20)}\n`,
    `\n${' '.repeat(21)}\n`,
    '\n\u00a0\u2003\n',
    '.\u3000',
    '."',
    '1.5 ',
    '?\n',
    '...',
    ']. ',
    '\r\n\r\n',
    '\nx\n',
  ])('is where it was with an expression: %j', (between) => {
    const text = `cue a${between}b end`
    expect(matcher.match(text).length === 0).toBe(SENTENCE_END.test(text.slice(3, -3)))
  })
})
