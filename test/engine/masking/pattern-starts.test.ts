import * as fc from '../../helpers/properties.ts'
import { describe, expect, it } from 'vitest'
import { AUTHORIZATION, KNOWN_START, SECRET_NAME } from '../../../electron/engine/masking/finders/api-key.ts'
import {
  BIRTH_LABEL,
  DRIVER_LICENSE_LABEL,
  PASSPORT_LABEL,
} from '../../../electron/engine/masking/finders/labelled.ts'
import { prefixesOf } from '../../../electron/engine/masking/finders/pattern-prefixes.ts'
import { matchesAt, patternStarts } from '../../../electron/engine/masking/finders/pattern-starts.ts'

const PATTERNS: Readonly<Record<string, RegExp>> = {
  authorization: AUTHORIZATION,
  birth: BIRTH_LABEL,
  driverLicense: DRIVER_LICENSE_LABEL,
  passport: PASSPORT_LABEL,
  secretName: SECRET_NAME,
  token: KNOWN_START,
}

const EXAMPLES = ['Bearer 0123456789abcdefgh', "Driver's license", 'DL no', 'driving_licence']
/** The words of a pattern between signs, and whole matches, so that many texts match it. */
const piecesOf = ({ source }: RegExp): string[] => [
  ...source.split(/\\u[\da-f]{4}|\\[a-z]|[^\p{L}\p{M}\d]+/u).filter((piece) => piece !== ''),
  ...EXAMPLES,
]

const textLike = (pattern: RegExp): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...piecesOf(pattern)), fc.string({ unit: 'binary', maxLength: 3 })),
        fc.constantFrom(
          '',
          '',
          ' ',
          '-',
          '_',
          '.',
          '. ',
          "'",
          '#',
          '/',
          '=',
          ': ',
          '\n',
          '0123456789abcdefgh',
        ),
        fc.constantFrom('asIs', 'upper', 'lower'),
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) =>
      parts
        .map(([piece, sign, as]) =>
          (as === 'upper' ? piece.toUpperCase() : as === 'lower' ? piece.toLowerCase() : piece).concat(sign),
        )
        .join(''),
    )

const found = (matches: Iterable<RegExpExecArray>): string[] =>
  [...matches].map(({ index, 0: written }) => `${index} ${written}`)

describe('where matches of patterns may begin', () => {
  const startsIn = patternStarts(PATTERNS)

  it.each(Object.entries(PATTERNS))('is no other place for %s than where they do', (name, pattern) => {
    const sticky = new RegExp(pattern.source, `${pattern.flags.replace('y', '')}y`)
    const global = new RegExp(pattern.source, `${pattern.flags.replace('y', '')}g`)
    let matches = 0
    fc.assert(
      fc.property(textLike(pattern), (text) => {
        const all = found(text.matchAll(global))
        matches += all.length
        expect(found(matchesAt(text, sticky, startsIn(text)[name] ?? []))).toEqual(all)
      }),
      { numRuns: 1000 },
    )
    expect(matches).toBeGreaterThan(20)
  })

  it('is found across the parts in which a long text is read', () => {
    for (const before of [65_520, 65_526, 65_527, 65_528, 65_530, 65_536, 131_050])
      for (let shift = 0; shift < 10; shift++) {
        const text = `${' '.repeat(before + shift)}Passport`
        expect(startsIn(text)['passport']).toEqual([before + shift])
      }
  })
})

describe('the first letters of a pattern', () => {
  it.each<[RegExp, readonly string[]]>([
    [/abcdef/, ['abcd']],
    [/ab|CD?e/, ['ab', 'cde', 'ce']],
    [/(?<![a-z])x(?:y|z{2})\b/, ['xy', 'xzz']],
    [/a\.?[bc]{1,2}/, ['a.b', 'a.bb', 'a.bc', 'a.c', 'a.cb', 'a.cc', 'ab', 'abb', 'abc', 'ac', 'acb', 'acc']],
    [/no\s+\d/, ['no']],
    [/ab[^c]d/, ['ab']],
    [/ẬB/i, ['Ậb', 'ậb']],
  ])('of %s', (pattern, expected) => {
    expect([...prefixesOf(pattern.source, 4)].toSorted()).toEqual(expected.toSorted())
  })

  it('are two at least, so that a look costs little', () => {
    expect(() => patternStarts({ any: /.x/ })).toThrow(RangeError)
  })
})
