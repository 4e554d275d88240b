import { describe, expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

const hiddenIn = (text: string) =>
  maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).spans.map(({ type, value }) => `${type} ${value}`)

describe('a number that goes on in the next line or cell', () => {
  test.each([
    ['We charged 4111 1111\n1111 1111 today.', '4111 1111\n1111 1111'],
    ['card:\r\n4111-1111-1111-\r\n  1111\r\n', '4111-1111-1111-\r\n  1111'],
    ['> paid with 4111\n> 1111 1111 1111.', '4111\n> 1111 1111 1111'],
    ['card 41111111=\n11111111 of Ann', '41111111=\n11111111'],
    ['Amex 3782\n822463 10005', '3782\n822463 10005'],
    ['| Ann | 4111 1111 | 1111 1111 |', '4111 1111 | 1111 1111'],
    ['<td>4111 1111 1111</td><td>1111</td>', '4111 1111 1111</td><td>1111'],
    ['| Card | 4111 | 1111 | 1111 | 1111 |', '4111 | 1111 | 1111 | 1111'],
    ['card\t4111\t1111\t1111\t1111', '4111\t1111\t1111\t1111'],
  ])('is a card: %j', (text, card) => {
    expect(hiddenIn(text)).toEqual([`credit_card ${card}`])
  })

  test.each([
    ['IBAN: DE89 3704 0044\n0532 0130 00 bitte', 'DE89 3704 0044\n0532 0130 00'],
    ['IBAN DE89 3704 0044 0532\r\n0130 00', 'DE89 3704 0044 0532\r\n0130 00'],
    ['DE89 3704 0044=\n 0532 0130 00', 'DE89 3704 0044=\n 0532 0130 00'],
    ['> DE89\n> 3704 0044 0532 0130 00 ok', 'DE89\n> 3704 0044 0532 0130 00'],
    ['DE89 3704\n   0044 0532 0130 00', 'DE89 3704\n   0044 0532 0130 00'],
    ['| DE89 3704 0044 | 0532 0130 00 |', 'DE89 3704 0044 | 0532 0130 00'],
    ['<td>DE89 3704 0044</td>\n<td>0532 0130 00</td>', 'DE89 3704 0044</td>\n<td>0532 0130 00'],
  ])('is an IBAN: %j', (text, iban) => {
    expect(hiddenIn(text)).toEqual([`iban ${iban}`])
  })

  test.each([
    ['rows of figures', '4111 1111\n1111 1111\n1111 1111\n'],
    ['figures below others', '7200 4111 1111\n1111 1111'],
    ['a column of figures', '4111\n1111\n1111\n1111'],
    ['cells of figures', '| 4111 | 1111 | 1111 | 1111 |'],
    ['a wrong check digit', 'We charged 4111 1111\n1111 1112 today.'],
    ['times and sizes', '12:4111 1111\n1111 1111'],
  ])('is none in %s', (_, text) => {
    expect(hiddenIn(text)).toEqual([])
  })
})
