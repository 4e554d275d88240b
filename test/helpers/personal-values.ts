import * as fc from './properties.ts'

/** Must be found by masking, in usual spellings. */
export const personalValue: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{2,8}$/))
    .map(([a, b]) => `${a}@${b}.org`),
  fc.integer({ min: 1000, max: 9999 }).map((line) => `+1 212-555-${line}`),
  fc.constantFrom('4111 1111 1111 1111', '378282246310005', '5555555555554444'),
  fc.integer({ min: 1000, max: 9999 }).map((serial) => `536-22-${serial}`),
  fc.constantFrom('DE89370400440532013000', 'GB82 WEST 1234 5698 7654 32'),
  fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 255 })).map(([a, b]) => `203.0.${a}.${b}`),
  fc.nat(0xffff).map((tail) => `2001:db8::7:${tail.toString(16)}`),
)

/** With personal data, and all that looks like a placeholder or JSON. */
const words = fc.constantFrom(
  'hello',
  '[EMAIL_1]',
  '[LITERAL_2]',
  '[[PHONE_1]',
  '[EMAIL_',
  '_1]',
  '"',
  '\\',
  '\n',
  '{',
  '}]',
  '\u2028',
  '😀',
  '\ud800',
  '{"a":',
  '[1,2]',
  'é',
  '555',
)

/** Values are separated by spaces. */
export const textWithValues: fc.Arbitrary<{ text: string; values: readonly string[] }> = fc
  .array(
    fc.oneof(
      words,
      personalValue.map((value) => ({ value })),
    ),
    { maxLength: 6 },
  )
  .map((parts) => ({
    text: parts.map((part) => (typeof part === 'string' ? part : ` ${part.value} `)).join(''),
    values: parts.flatMap((part) => (typeof part === 'string' ? [] : [part.value])),
  }))

interface JsonWithValues {
  readonly json: unknown
  readonly values: readonly string[]
}

const leaf: fc.Arbitrary<JsonWithValues> = fc.oneof(
  { weight: 6, arbitrary: textWithValues.map(({ text, values }) => ({ json: text, values })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(null, true, 0, -1.5, 4111111111111111, 4915112345678, 1e21)
      .map((json) => ({ json, values: [] })),
  },
)
const key = fc.constantFrom(
  'a',
  'phone',
  'card',
  'value',
  'dateOfBirth',
  '__proto__',
  'constructor',
  '1',
  '',
  'a@b.org',
  'data',
)

/** Some strings are JSON themselves; with all personal values in their strings. */
export const jsonWithValues: fc.Arbitrary<JsonWithValues> = fc.letrec<{ any: JsonWithValues }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }).map((items) => ({
      json: items.map(({ json }) => json),
      values: items.flatMap(({ values }) => values),
    })),
    fc.array(fc.tuple(key, tie('any')), { maxLength: 4 }).map((entries) => {
      const kept = [...new Map(entries)]
      return {
        json: Object.fromEntries(kept.map(([name, { json }]) => [name, json])),
        values: kept.flatMap(([, { values }]) => values),
      }
    }),
    tie('any').map(({ json, values }) => ({ json: JSON.stringify(json), values })),
  ),
})).any
