import * as fc from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import { findPersonalData } from '../../../electron/engine/masking/find-personal-data.ts'
import { maskInValue, restoreInValue } from '../../../electron/engine/masking/mask-in-value.ts'
import { stringsInValue } from '../../../electron/engine/masking/strings-in-value.ts'
import { countFromOne, Vault } from '../../../electron/engine/masking/vault.ts'
import { PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../../shared/masking-policy.ts'
import { hostilePersonalData } from '../../helpers/hostile-personal-data.ts'

const policy: MaskingPolicy = {
  direction: 'from-model',
  types: PERSONAL_DATA_TYPES,
  customPatterns: { bomb: { regex: '(a+)+$|(x*)*y', placeholder: 'BOMB' } },
}
const find = async (input: Parameters<typeof findInTexts>[0]) => findInTexts(input)

async function roundTrip(value: unknown): Promise<void> {
  const vault = new Vault(countFromOne())
  const masked = await maskInValue(value, vault, policy, find)
  expect(JSON.stringify(restoreInValue(masked, vault))).toBe(JSON.stringify(value))
}

// Long enough to show quadratic time; test/bench/fuzz-masking.ts goes further.
const LENGTH = 30_000
const TIMES_SHORTER = 8
/** Processor time that measures nothing: compiling, collecting garbage. */
const NOISE_MS = 500
const shorter = new Map(hostilePersonalData(LENGTH / TIMES_SHORTER))

async function threadMs(work: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const emailsIn = (text: string): string[] =>
  findPersonalData(text, { types: ['email'] }).map(({ value }) => value)

describe('hostile texts neither break masking nor hold it up', () => {
  test.each(hostilePersonalData(LENGTH))('%s', async (name, make) => {
    const ofShorter = await threadMs(() => roundTrip(shorter.get(name)?.()))
    expect(await threadMs(() => roundTrip(make()))).toBeLessThan(2 * TIMES_SHORTER * ofShorter + NOISE_MS)
  })

  // A text with such a dash was read to its end at each address. Shorter ones don't show it.
  test('100,000 addresses and a wide dash', async () => {
    const searching = async (count: number): Promise<void> => {
      const text = `${'ada@example.org '.repeat(count)}–`
      expect(emailsIn(text).length).toBe(count)
    }
    const ofShorter = await threadMs(() => searching(100_000 / TIMES_SHORTER))
    expect(await threadMs(() => searching(100_000))).toBeLessThan(2 * TIMES_SHORTER * ofShorter + NOISE_MS)
  })

  test('wide, narrow and encoded signs in any order', () => {
    const text = 'a@b.org c＠d.org e%40f.org g＠h.org i@j.org k&#64;l.org m＠n.org'
    expect(emailsIn(text)).toEqual(text.split(' '))
  })

  test('random ones', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '\ud800',
          '\udc00',
          '@',
          '.',
          '1',
          '-',
          ' ',
          '(',
          '+',
          '[',
          ']',
          '_',
          'E',
          ':',
          '"',
          '\\',
          '{',
          '}',
          '\0',
          'a',
          'A',
          '\n',
        ),
        maxLength: 60,
      }),
    )
    await fc.assert(fc.asyncProperty(text, roundTrip), { numRuns: 150 })
  })
})

describe('hostile values', () => {
  test('nesting of any depth', () => {
    let value: unknown = 'a@x.org'
    for (let depth = 0; depth < 100_000; depth++) value = depth % 2 === 0 ? [value] : { a: value }
    const { texts, rebuild } = stringsInValue(value)
    expect(texts).toEqual([{ text: 'a@x.org', label: 'a' }])
    let inner = rebuild(['masked'])
    while (typeof inner === 'object' && inner !== null) inner = Object.values(inner)[0]
    expect(inner).toBe('masked')
  })

  test('keys that objects inherit stay keys, in their order', async () => {
    const value: unknown = JSON.parse(
      '{"b":"a@x.org","__proto__":{"x":"b@x.org"},"constructor":["c@x.org"],"1":"d@x.org"}',
    )
    const vault = new Vault(countFromOne())
    const masked = await maskInValue(value, vault, policy, find)
    expect(JSON.stringify(masked)).toBe(
      '{"1":"[EMAIL_1]","b":"[EMAIL_2]","__proto__":{"x":"[EMAIL_3]"},"constructor":["[EMAIL_4]"]}',
    )
    expect(Object.getPrototypeOf(masked)).toBe(Object.prototype)
    expect('x' in (masked as object)).toBe(false)
  })

  test('pictures, files and the state of a server stay as they are; what only claims to be one does not', async () => {
    const vault = new Vault(countFromOne())
    const picture = { type: 'image', mimeType: 'image/png', data: '4111111111111111' }
    const file = { uri: 'x:1', blob: '5555555555554444' }
    const pending = { resultType: 'input_required', requestState: 'a@x.org' }
    expect(await maskInValue([picture, file, pending], vault, policy, find)).toEqual([picture, file, pending])
    expect(
      await maskInValue([{ data: '4111111111111111' }, { ...picture, data: 'a@x.org' }], vault, policy, find),
    ).toEqual([{ data: '[CREDIT_CARD_1]' }, { ...picture, data: '[EMAIL_1]' }])
  })
})
