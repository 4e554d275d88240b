import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { KnownSecrets } from '../../../../electron/engine/ground/secrets/known-secrets.ts'

const knowing = (...values: string[]): KnownSecrets => {
  const known = new KnownSecrets()
  known.add(values)
  return known
}
const KEY = 'sk/live+7f3A9c&"q1 zz=Q'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('a known secret is found', () => {
  test.each([
    ['as it is', KEY],
    ['URL-encoded', encodeURIComponent(KEY)],
    [
      'URL-encoded in small letters',
      encodeURIComponent(KEY).replaceAll(/%../g, (each) => each.toLowerCase()),
    ],
    ['as a form encodes it', new URLSearchParams({ k: KEY }).toString()],
    ['in JSON', JSON.stringify({ k: KEY })],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ k: KEY }))],
    ['in HTML', KEY.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in hex', Buffer.from(KEY).toString('hex')],
    ['in base64', base64(KEY)],
    ['in base64 behind one byte', base64(`u${KEY}`)],
    ['in base64 behind two bytes', base64(`u:${KEY} and more`)],
    ['in base64 for addresses', Buffer.from(`user:${KEY}`).toString('base64url')],
    ['backwards', Array.from(KEY).toReversed().join('')],
    ['cut', KEY.slice(0, 15)],
    ['in capital letters', KEY.toUpperCase()],
    ['with a character that is not seen', `${KEY.slice(0, 5)}\u200b${KEY.slice(5)}`],
    ['over two lines', `${KEY.slice(0, 9)}\r\n${KEY.slice(9)}`],
    ['in base64 over several lines', base64(`user:${KEY} and more`).replaceAll(/.{10}/g, '$&\n')],
    ['with a colour in it', `${KEY.slice(0, 7)}\u001b[31m${KEY.slice(7)}`],
    ['by numbers of HTML', Array.from(KEY, (sign) => `&#${sign.charCodeAt(0)};`).join('')],
    ['all in per cent', Array.from(KEY, (sign) => `%${sign.charCodeAt(0).toString(16)}`).join('')],
    [
      'by numbers of JavaScript',
      Array.from(KEY, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join(''),
    ],
    ['as PHP writes JSON', KEY.replaceAll('/', '\\/')],
    ['as PHP writes JSON, in JSON', JSON.stringify(JSON.stringify(KEY).replaceAll('/', '\\/'))],
    ['with the signs of JSON by their number', KEY.replaceAll('/', '\\u002F').replaceAll('&', '\\u0026')],
    ['by names of HTML', KEY.replaceAll('&', '&amp;').replaceAll('/', '&sol;').replaceAll('+', '&plus;')],
    ['escaped twice for HTML', KEY.replaceAll('&', '&amp;amp;').replaceAll('/', '&amp;#x2F;')],
    ['escaped twice for addresses', encodeURIComponent(encodeURIComponent(KEY))],
    ['for Markdown', KEY.replaceAll(/[^\w\s]/g, '\\$&')],
    ['for a shell', KEY.replaceAll(/\W/g, '\\$&')],
    [
      'by numbers of C',
      Array.from(KEY, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`).join(''),
    ],
    ['in base64, as PHP writes JSON', base64(`~${KEY}??>>??`).replaceAll('/', '\\/')],
  ])('%s', (_how, text) => {
    const clean = knowing('another-secret-1', KEY).clean(`before ${text} after`, '[X]')
    expect(clean).toContain('[X]')
    expect(clean.startsWith('before ')).toBe(true)
    expect(clean.endsWith(' after')).toBe(true)
    expect(knowing(KEY).isIn(clean)).toBe(false)
  })
})

describe('a long text', () => {
  test.each([
    ['escapes of escapes', '%25252525'.repeat(60_000)],
    ['backslashes', '\\'.repeat(300_000)],
    ['the key itself, escaped', `${encodeURIComponent(encodeURIComponent(KEY))} `.repeat(4_000)],
  ])('is looked through in steps, each of a bounded number of escapes: %s', (_, text) => {
    const known = knowing(KEY)
    const escapes = text.match(/%25|\\/g)?.length ?? 0
    const cleaning = known.cleaning(text, '[X]')
    let steps = 0
    let step = cleaning.next()
    for (; !step.done; step = cleaning.next()) steps++
    expect(steps).toBeGreaterThan(escapes / 2_000)
    expect(step.value).toBe(known.clean(text, '[X]'))
    expect(known.isIn(step.value)).toBe(false)
  })
})

test('nothing is left of one whose end alone is escaped, and what is around it stays', () => {
  const key = 'sk-live-7f3A9c2b/tail-of-the-key'
  const known = knowing(key)
  for (const slash of [
    '\\/',
    '\\\\/',
    '\\u002f',
    '\\u002F',
    '\\x2f',
    '&#47;',
    '&#x2F;',
    '&sol;',
    '%2F',
    '%252f',
  ])
    expect(known.clean(`\n${key}\n\\n&amp; ${key.replace('/', slash)}\n\\/ &amp;`, '[X]')).toBe(
      '\n[X]\n\\n&amp; [X]\n\\/ &amp;',
    )
})

test('texts without one come back as the same text, and short values are not looked for', () => {
  const text = 'Nothing here. '.repeat(100)
  expect(knowing(KEY).clean(text, '[X]')).toBe(text)
  expect(knowing('short', '1234567').clean('short 1234567', '[X]')).toBe('short 1234567')
  expect(knowing().clean(KEY, '[X]')).toBe(KEY)
})

test('what stands around one over two lines stays to the character', () => {
  const text = `a\n%41 &#66; b ${KEY.slice(0, 9)}\n${KEY.slice(9)} c\n%`
  expect(knowing(KEY).clean(text, '[X]')).toBe('a\n%41 &#66; b [X] c\n%')
})

test('several secrets, beside each other and one within another, in one text', () => {
  const known = knowing('first-secret-1', 'first-secret-1-longer', 'other-secret')
  expect(known.clean('first-secret-1other-secret/first-secret-1-longer', '[X]')).toBe('[X][X]/[X]')
  known.add(['added-later-on'])
  expect(known.clean('a added-later-on', '[X]')).toBe('a [X]')
})

test('property: wherever secrets stand in whatever text, none is left and all else stays', () => {
  const secret = fc
    .string({ unit: 'binary-ascii', minLength: 16, maxLength: 60 })
    .filter((text) => text.trim() === text && text.trim().length >= 16)
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 6 }),
      fc.array(fc.string({ maxLength: 40 }), { minLength: 2, maxLength: 8 }),
      (secrets, around) => {
        const known = knowing(...secrets)
        // The surrounding text may contain one by chance.
        fc.pre(!known.isIn(around.join('\u0000')))
        const text = around.map((part, index) => part + (secrets[index] ?? '')).join('\u0000')
        const clean = known.clean(text, '\u0001')
        for (const value of secrets.slice(0, around.length)) expect(clean).not.toContain(value)
        expect(clean.length).toBeLessThanOrEqual(text.length)
        if (!known.isIn(text)) expect(clean).toBe(text)
      },
    ),
  )
})

describe('property: characters escaped in any mixture', () => {
  const hex = (code: number, length: number): string => code.toString(16).padStart(length, '0')
  const escapes: ((sign: string, code: number) => string)[] = [
    (_, code) => `\\u${hex(code, 4)}`,
    (_, code) => `\\u${hex(code, 4).toUpperCase()}`,
    (_, code) => `\\x${hex(code, 2)}`,
    (_, code) => `%${hex(code, 2)}`,
    (_, code) => `%${hex(code, 2).toUpperCase()}`,
    (_, code) => `&#${code};`,
    (_, code) => `&#x${hex(code, 2)};`,
    (sign) => (/\W|_/.test(sign) ? `\\${sign}` : sign),
    (sign) => ({ '/': '&sol;', '+': '&plus;', '=': '&equals;', '&': '&amp;', '"': '&quot;' })[sign] ?? sign,
  ]
  /** An escaper leaves no character unescaped that begins an escape. */
  const escaped = (text: string, choices: readonly number[]): string =>
    Array.from(text, (sign, index) => {
      const choice = choices[index % choices.length] ?? 0
      const way = escapes[choice] ?? (/[\\&%]/.test(sign) ? escapes[0] : undefined)
      const done = way?.(sign, sign.charCodeAt(0)) ?? sign
      return done === sign && /[\\&%]/.test(sign) ? `\\u${hex(sign.charCodeAt(0), 4)}` : done
    }).join('')
  const ways = fc.array(fc.nat({ max: escapes.length * 2 }), { minLength: 1, maxLength: 40 })
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  const secret = fc.string({ unit: fc.constantFrom(...printable), minLength: 16, maxLength: 60 })

  test('once and twice: all of the secret is found and nothing else goes', () => {
    fc.assert(
      fc.property(secret, ways, fc.option(ways, { nil: undefined }), (value, first, second) => {
        const once = escaped(value, first)
        const text = second ? escaped(once, second) : once
        expect(knowing(value).clean(`<p>\n${text} </p>\n`, '[X]')).toBe('<p>\n[X] </p>\n')
      }),
      { numRuns: 500 },
    )
  })
})
