import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../../electron/engine/ground/errors.ts'
import { decodeLossless } from '../../../helpers/decode-lossless.ts'
import { encodeLossless } from '../../../../electron/engine/compression/lossless/encode.ts'
import { minify } from '../../../../electron/engine/compression/tree/minify.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'

const encode = (text: string, verbatim = false): string => {
  const document = parseJson(text)
  const encoded = document && encodeLossless(document, { verbatim })
  if (encoded === undefined) throw new Error('The document was not encoded.')
  return encoded
}

function expectRoundTrip(text: string): void {
  const document = parseJson(text)
  if (document === undefined) throw new Error('The sample is not JSON.')
  for (const verbatim of [false, true]) {
    const encoded = encode(text, verbatim)
    expect(() => JSON.parse(encoded)).not.toThrow()
    expect(decodeLossless(encoded)).toBe(minify(document))
  }
}

/** Strings that look like what the form itself writes, among others. */
const trickyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    '+',
    '++',
    '+A',
    '+A[]',
    '+[]',
    '+1',
    '+12/x',
    '+{a}',
    'x+{a}y',
    '{a}',
    '}',
    '},{',
    '+{',
    '',
    '~',
    '…',
    'https://api.example.com/users/1',
    'https://api.example.com/users/2',
    'https://api.example.com/users/1/repos',
    'https://api.example.com/+{a}/x',
    '2024-01-02T03:04:05Z',
    '2024-01-02T03:04:06Z',
    'a rather long text that repeats',
  ),
)
const trickyKey = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'id', 'url', 'login', '+A', '{a}', 'a}b', '', '__proto__'),
  fc.string({ maxLength: 3 }),
)
const value = fc.letrec<{ tree: unknown; record: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    trickyText,
    fc.constantFrom(0, 1, 12, 3.5, 1e21, null, true, false, [], {}),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(trickyKey, tie('tree'), { maxKeys: 4 }),
    fc.array(tie('record'), { maxLength: 6 }),
  ),
  record: fc.record(
    {
      id: fc.integer({ min: 0, max: 3 }),
      login: trickyText,
      url: trickyText,
      a: tie('tree'),
      b: tie('tree'),
    },
    { requiredKeys: ['id', 'login'] },
  ),
}))

describe('the lossless form', () => {
  test('gives back every document: values, digits, key order', () => {
    fc.assert(
      fc.property(value.tree, (tree) => {
        expectRoundTrip(JSON.stringify(tree))
      }),
      { numRuns: 600 },
    )
  })

  test('gives back lists of records whose fields depend on each other', () => {
    const record = fc.record({
      id: fc.integer({ min: 1, max: 40 }),
      login: fc.constantFrom('ada', 'grace', 'alan', '+x', 'a{b'),
      flag: fc.constantFrom(true, 'same'),
    })
    fc.assert(
      fc.property(fc.array(record, { minLength: 2, maxLength: 12 }), fc.boolean(), (records, nested) => {
        const rows = records.map(({ id, login, flag }) => ({
          id,
          login,
          url: `https://api.example.com/users/${login}`,
          events_url: `https://api.example.com/users/${login}/events/${id}{/privacy}`,
          flag,
          type: 'User',
          ...(nested && { owner: { login, site: `https://${login}.example.com/${id}`, kind: 'Org' } }),
        }))
        expectRoundTrip(JSON.stringify({ total: rows.length, rows }))
      }),
      { numRuns: 300 },
    )
  })

  test('keeps the text of numbers and the order of keys', () => {
    expectRoundTrip(
      '[{"b":46.0,"a":12345678901234567890},{"b":46,"a":1e400},{"b":-0,"a":0.10},{"a":1,"b":2}]',
    )
  })

  test('keeps keys that occur twice in an object', () => {
    expectRoundTrip('[{"a":1,"a":2},{"a":1,"a":2},{"a":3,"a":4}]')
  })

  test('empty containers are not taken for the numbers 0 and 1', () => {
    expectRoundTrip('[{"id":0,"login":"x","a":1},{"id":0,"login":"x","a":[]},{"id":0,"login":"x","a":{}}]')
    expectRoundTrip('[{"a":[],"b":{},"name":"x"},{"a":1,"b":0,"name":"y"},{"a":[],"b":{},"name":"z"}]')
  })

  test('keeps JSON lines apart', () => {
    expectRoundTrip('{"name":"a","size":1}\n{"name":"b","size":2}\n{"name":"c","size":3}\n[]')
  })

  test('keeps lists and scalars where rows are expected', () => {
    expectRoundTrip(
      JSON.stringify([
        { user: { login: 'a', id: 1 }, tags: [{ k: 'x', v: 1 }] },
        { user: { login: 'b', id: 2 }, tags: [{ k: 'y', v: 2 }, null, ['p'], 'q', { k: 'z', v: 3 }] },
        {
          user: ['a', 1],
          tags: [
            { k: 'y', v: 2 },
            { k: 'w', v: 5 },
          ],
        },
        { user: [], tags: [] },
        { user: {}, tags: {} },
        { user: null, tags: null },
        { user: { login: 'c', id: 3 }, tags: 'none' },
      ]),
    )
  })

  test('shortens API answers to less than half', () => {
    const users = ['octocat', 'hubot', 'mona', 'defunkt'].map((login, i) => ({
      login,
      id: 583_231 + i * 17,
      avatar_url: `https://avatars.githubusercontent.com/u/${583_231 + i * 17}?v=4`,
      url: `https://api.github.com/users/${login}`,
      html_url: `https://github.com/${login}`,
      followers_url: `https://api.github.com/users/${login}/followers`,
      gists_url: `https://api.github.com/users/${login}/gists{/gist_id}`,
      type: 'User',
      site_admin: false,
    }))
    const issues = Array.from({ length: 40 }, (_, i) => ({
      number: i + 1,
      title: `Issue about part ${i}`,
      state: i % 3 ? 'open' : 'closed',
      user: users[i % 4],
      labels: [{ name: 'bug', color: 'f29513' }],
      url: `https://api.github.com/repos/octocat/hello/issues/${i + 1}`,
    }))
    const text = JSON.stringify(issues)
    expectRoundTrip(text)
    expect(countTokens(encode(text))).toBeLessThan(0.25 * countTokens(text))
  })

  test('says in its first words how to read it, and only what is needed', () => {
    const encoded = encode(
      JSON.stringify(Array.from({ length: 9 }, (_, i) => ({ number: i, title: `t${i}` }))),
    )
    expect(encoded).toMatch(/^\{"form":"Complete document in a short form\. /)
    expect(encoded).toContain('is a list of such objects')
    expect(encoded).not.toContain('plus sign')
  })

  test('leaves documents alone that are too deep to be read by recursion', () => {
    const document = parseJson('['.repeat(1000) + ']'.repeat(1000))
    expect(document && encodeLossless(document)).toBeUndefined()
  })

  test.each([
    ['no JSON', 'hello'],
    ['JSON of another kind', '{"a":1}'],
    ['a reference to nothing', '{"form":"","data":"+7"}'],
    ['a value that contains itself', '{"form":"","values":{"1":["+1"]},"data":"+1"}'],
    ['a row with too many cells', '{"form":"","shapes":{"A":["a"]},"data":["+A",1,2]}'],
    ['a shape that is not there', '{"form":"","data":["+A",1]}'],
  ])('refuses %s', (_, text) => {
    expect(() => decodeLossless(text)).toThrow(SluiceError)
  })
})
