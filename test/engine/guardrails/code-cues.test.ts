import * as fc from '../../helpers/properties.ts'
import { describe, expect, it } from 'vitest'
import { codeCues, CUES, type JoinedWords } from '../../../electron/engine/guardrails/code-cues.ts'
import { CODES } from '../../../electron/engine/guardrails/decode-codes.ts'
import { HEX_WORDS } from '../../../electron/engine/guardrails/decode-words.ts'

const SPACED = /(?:\b[a-z](?:[ ._-]|[ ]{2,3})){9,}[a-z]\b/i
const PERCENT = /(?:%[0-7][0-9a-f]){8,}/i
const ROT13 = /\b(?:vafgehpgvbaf?|vtaber|cerivbhf|qvfertneq|flfgrz cebzcg)\b/i

/** Pieces of which texts are made that nearly look like codes. */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  hexadecimal: ['4f 6B:0a, ', '6e,0x69 74 ', '4f', '0X6B', 'zz', '7', ' ', ',', '. ', 'ü'],
  'octal numbers': ['141', '052', '77', '1', ' ', '\\', ', ', 'x', '.'],
  'decimal numbers': ['104', '99', '32', '7', ' ', ', ', '2026', 'é'],
  'binary numbers': ['01101000', '0110', '2', ' ', ',', 'a'],
  'quoted-printable': ['=4', 'F', '=20', 'abc', ' ', '='],
  'Morse code': ['.', '-', '...', '--.-', ' ', ' ', 'a', ',', '/'],
  leet: ['a', 'n', '3', '0', '$', '@', ' ', 'ß', '\n'],
  'joined words': ['ab', 'word', '_', '-', 'Ab', 'Word', 'X', ' ', '9', 'averyverylongword'],
  'cut words': ['ig', 'nore', '-', ' ', 'al', 'l', '7', '.'],
  'reversed letters': ['eht', 'dna', 'Metsys', 'suoiverp', 'tpmorp', ' ', '_', 'x', 'ä'],
}
const textOf = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''))

describe('what a text may hold', () => {
  it.each(CODES.map((code) => [code.name, code] as const))('%s: never missed', (name, { sign, cue, run }) => {
    const pattern = new RegExp(run.source, run.flags.replace('g', ''))
    fc.assert(
      fc.property(textOf(PIECES[name] ?? []), (text) => {
        if (cue.test(text) && pattern.test(text)) expect(codeCues(text) & sign).not.toBe(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['spaced letters', CUES.spaced, SPACED, ['a', 'b', ' ', '  ', '.', '_', '-', 'ab', '1']],
    ['percent', CUES.percent, PERCENT, ['%4', '%6f', '1', 'E', '%', ' ', '%20']],
    [
      'words in hexadecimal',
      CUES.hexWords,
      new RegExp(HEX_WORDS.source, 'i'),
      ['69676e6f7265', '0x616c6c', '2024', ' ', ', ', '\n', '", "', '7', 'x', '_', 'ü'],
    ],
    ['ROT13', CUES.rot13, ROT13, ['vtaber', 'Vafgehpgvbaf', 'flfgrz', ' ', 'cebzcg', 'qvfertneq', 'x', '1']],
  ] as const)('%s: never missed', (_, sign, pattern, pieces) => {
    fc.assert(
      fc.property(textOf(pieces), (text) => {
        if (pattern.test(text)) expect(codeCues(text) & sign).not.toBe(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(CODES.flatMap(({ run, within }) => (within ? [[within.places, run, within.signs] as const] : [])))(
    'a place within each word, %s',
    (places, run, signs) => {
      const parts = [
        'a',
        'ab',
        'Ab',
        'Word',
        'LETTERS',
        'fourteenletter',
        'averyverylongword',
        '_',
        '-',
        ' ',
        '9',
        'é',
        '=',
      ]
      fc.assert(
        fc.property(textOf(parts), (text) => {
          const found: JoinedWords = { camelCase: [], separated: [] }
          codeCues(text, found)
          const isWithin = (letter: string): boolean => /[a-z]/i.test(letter) || signs.includes(letter)
          for (const { index } of text.matchAll(run))
            expect(
              found[places].some((place) =>
                Array.from(text.slice(Math.min(index, place), Math.max(index, place) + 1)).every(isWithin),
              ),
            ).toBe(true)
        }),
        { numRuns: 3_000 },
      )
    },
  )

  it('is nothing in prose', () => {
    const prose = 'The committee met on Monday, as planned. It decided nothing (again); see page 12.\n'
    expect(codeCues(prose.repeat(20))).toBe(0)
  })
})
