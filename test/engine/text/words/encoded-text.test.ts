import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isEncodedLine, isEncodedText } from '../../../../electron/engine/text/words/encoded-text.ts'

const bytes = randomBytes(400)
const base64 = (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\n')
const hex = bytes.subarray(0, 18).toString('hex').replace(/../g, '$&:')

test('lines of base 64 and of hexadecimal pairs are encoded', () => {
  expect(isEncodedText(base64)).toBe(true)
  expect(isEncodedLine(`      ${hex}`)).toBe(true)
  expect(isEncodedLine(hex.slice(0, -1))).toBe(true)
})

test.each([
  'com/google/common/collect/ImmutableSortedMultisetFauxverideShim',
  'thequickbrownfoxjumpsoverthelazydogandrunsawayfromhome',
  'a2967b32b2930dba2fe396961439ffa262bc25ee  electron/main.ts',
  '00:1b:44:11:3a:b7',
  'ORGANIZATION_WIDE_SETTINGS_OF_THE_WHOLE_COMPANY',
  'See the chapter on keys',
])('%s is not', (line) => {
  expect(isEncodedLine(line)).toBe(false)
})

test('a passage with one sentence is not', () => {
  expect(isEncodedText(`${base64}\nKind regards, Rosa`)).toBe(false)
  expect(isEncodedText('Kind regards')).toBe(false)
})
