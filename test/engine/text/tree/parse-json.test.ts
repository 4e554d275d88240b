import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { minify } from '../../../../electron/engine/compression/tree/minify.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'

const reprint = (text: string): string | undefined => {
  const document = parseJson(text)
  return document && minify(document)
}

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('parseJson', () => {
  test('reads what JSON.stringify writes, whatever the spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, 4, '\t'), (value, space) => {
        // JSON.stringify spells -0 as 0, so both sides see the same text.
        expect(JSON.parse(reprint(JSON.stringify(value, null, space)) ?? '')).toEqual(
          JSON.parse(JSON.stringify(value)),
        )
      }),
    )
  })

  test('is as strict as JSON.parse', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\',
      '1',
      '-',
      '.5',
      'e9',
      'true',
      'nul',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        // Several values in a row are our own addition.
        if (parseJson(text)?.root === 0) return
        expect(parseJson(text) !== undefined).toBe(accepts(text))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '-',
    '1e',
    '+1',
    '"\t"',
    '"\\x41"',
    '"\\u12g4"',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    'NaN',
    "'a'",
    '[1]]',
    '"a" "b"',
    '1 2',
  ])('refuses %j', (text) => {
    expect(parseJson(text)).toBeUndefined()
  })

  test('numbers keep their digits', () => {
    const text = '[46.0,12345678901234567890,1e400,-0,0.10,1E+2]'
    expect(reprint(text)).toBe(text)
  })

  test('keys that only look special are keys', () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"":3,"a":1,"a":2}'
    expect(reprint(text)).toBe(text)
  })

  test('nesting of 100,000 levels costs no stack', () => {
    const text = '[{"a":'.repeat(50_000) + '1' + '}]'.repeat(50_000)
    expect(reprint(text)).toBe(text)
  })

  test('several objects in a row are read, with or without line breaks and commas', () => {
    for (const between of ['\n', '\r\n', '', ' ', ',\n', '\n\n']) {
      const document = parseJson(`{"a":1}${between}{"a":2}${between}[3]`)
      expect(document?.root).toBe(0)
      expect(document && minify(document)).toBe('{"a":1}\n{"a":2}\n[3]')
    }
  })

  test('escaped and plain spellings of a key are one key', () => {
    const document = parseJson('[{"\\u0061":1},{"a":2}]')
    expect(document?.keyNames).toEqual(['a'])
  })
})
