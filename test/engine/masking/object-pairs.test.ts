import { describe, expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

const hiddenIn = (text: string) =>
  maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).spans.map(({ type, value }) => `${type} ${value}`)

describe('a number under a key of an object that is no JSON', () => {
  test.each([
    ["{'pin': 4711, 'name': 'Jo'}", ['4711']],
    ["INFO user={'id': 7, 'card_pin': '4711', 'cvv': 123}", ['4711', '123']],
    ["const a = { pin: 4711, user: 'x' }", ['4711']],
    ["const a = {\n  user: 'x',\n  otp: 123456\n}", ['123456']],
    ['user: {name: Jo, pin: 4711}', ['4711']],
    ["{'password': 99887766}", ['99887766']],
    ['GET /open?user=jo&pin=4711&x=1', ['4711']],
    ['https://example.org/?otp=123456', ['123456']],
  ])('is a secret where the key names one: %s', (text, hidden) => {
    expect(hiddenIn(text)).toEqual(hidden.map((value) => `api_key ${value}`))
  })

  test.each([
    "{'pins': 4711, 'pin_count': 4712, 'spin': 4713}",
    '{ pin: 13, led: 2500 }',
    '{pin: 12345}',
    'pin: 4711 is on the board',
    'GET /board?pinId=4711&pins=4712',
    "{'max_password_length': 4711, 'pass': 471, 'fail': 2}",
    'case pin: 4711',
  ])('stays elsewhere: %s', (text) => {
    expect(hiddenIn(text)).toEqual([])
  })
})
