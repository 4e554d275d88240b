import * as fc from '../../helpers/properties.ts'
import { describe, expect, it } from 'vitest'
import { isNationalId, type NationalId } from '../../../electron/engine/masking/finders/national-id-checks.ts'
import { findPersonalData } from '../../../electron/engine/masking/find-personal-data.ts'

/** Published examples, of nobody. */
const VALID: readonly (readonly [NationalId, string])[] = [
  ['at', '1237010180'],
  ['au', '123456782'],
  ['be', '85.07.30-033.28'],
  ['br', '111.444.777-35'],
  ['ch', '756.9217.0769.85'],
  ['cn', '11010519491231002X'],
  ['de', '86095742719'],
  ['de', 'T220001293'],
  ['es', '12345678Z'],
  ['es', 'X1234567L'],
  ['fi', '131052-308T'],
  ['fr', '1 85 05 78 006 084 91'],
  ['gb', '943 476 5919'],
  ['in', '2341 2341 2346'],
  ['it', 'RSSMRA85T10A562S'],
  ['jp', '123456789018'],
  ['nl', '111222333'],
  ['no', '01010750160'],
  ['pl', '44051401359'],
  ['pt', '123456789'],
  ['se', '811228-9874'],
  ['tr', '10000000146'],
  ['za', '8001015009087'],
]

describe('check digits', () => {
  it.each(VALID)('%s %s: valid, and with one other digit not', (id, written) => {
    expect(isNationalId(id, written)).toBe(true)
    const places = Array.from(written.matchAll(/\d/g), ({ index }) => index)
    const changed = places.flatMap((place) =>
      Array.from('0123456789')
        .filter((digit) => digit !== written.charAt(place))
        .map((digit) => written.slice(0, place) + digit + written.slice(place + 1)),
    )
    const accepted = changed.filter((other) => isNationalId(id, other))
    expect(accepted.length / changed.length).toBeLessThan(0.12)
  })
})

describe('in a text', () => {
  it.each([
    ['{"pesel":"44051401359"}', '44051401359'],
    ['Steuer-ID: 86 095 742 719.', '86 095 742 719'],
    ['身份证:11010519491231002X', '11010519491231002X'],
    ['N° de sécurité sociale : 1 85 05 78 006 084 91', '1 85 05 78 006 084 91'],
    ['cpf,111.444.777-35,SP', '111.444.777-35'],
  ])('%s', (text, value) => {
    expect(findPersonalData(text)).toMatchObject([{ type: 'national_id', value }])
  })

  it.each([
    'the sin of 046 people',
    'build 44051401359 of the tool',
    'commit 811228-9874abc',
    '1.131052-308T.2',
    'order 123456789 and nif of nothing',
    'bsn: 000000000',
  ])('not in %j', (text) => {
    expect(findPersonalData(text).filter(({ type }) => type === 'national_id')).toEqual([])
  })

  it('lies within the text, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('BSN 111222333', 'x', ' ', 'DNI 12345678Z', '-', '811228-9874', '\n')),
        (parts) => {
          const text = parts.join(' ')
          let last = 0
          for (const { start, end } of findPersonalData(text)) {
            expect(start).toBeGreaterThanOrEqual(last)
            last = end
          }
          expect(last).toBeLessThanOrEqual(text.length)
        },
      ),
    )
  })
})
