import { describe, expect, test } from 'vitest'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import { maskForRemote } from '../../../electron/engine/masking/mask-for-remote.ts'
import { maskTexts, restoreText } from '../../../electron/engine/masking/mask-texts.ts'
import { countFromOne, Vault } from '../../../electron/engine/masking/vault.ts'
import { DEFAULT_PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../../shared/masking-policy.ts'

const find = async (input: Parameters<typeof findInTexts>[0]) => findInTexts(input)
const policy: MaskingPolicy = {
  direction: 'from-server',
  types: DEFAULT_PERSONAL_DATA_TYPES,
  customPatterns: { quoted: { regex: '<<[^>]*>>', placeholder: 'QUOTED' } },
}

/** Masks texts with one vault; `restore` undoes it. */
async function mask(...texts: string[]) {
  const vault = new Vault(countFromOne())
  const masked = await maskTexts(
    texts.map((text) => ({ text })),
    vault,
    policy,
    find,
  )
  return { masked, vault, restored: masked.map((text) => restoreText(text, vault)) }
}

describe('masking and restoring texts', () => {
  test('the same value has the same stand-in everywhere, counted per type', async () => {
    const { masked, restored } = await mask('a@x.org, b@x.org, a@x.org', 'b@x.org 555-123-4567')
    expect(masked).toEqual(['[EMAIL_1], [EMAIL_2], [EMAIL_1]', '[EMAIL_2] [PHONE_1]'])
    expect(restored).toEqual(['a@x.org, b@x.org, a@x.org', 'b@x.org 555-123-4567'])
  })

  test('what a word gave away once is masked where no word stands, too', async () => {
    const { masked } = await mask('born on 3 April 1955', 'On 3 April 1955 it rained, on 13 April 1955 not.')
    expect(masked[1]).toBe('On [DATE_OF_BIRTH_1] it rained, on 13 April 1955 not.')
  })

  test('a text that looks like a stand-in is not confused with one', async () => {
    const text = 'Use [EMAIL_1] for a@x.org, or [LITERAL_1], [QUOTED_3], [STEP_1], [EMAIL_01].'
    const { masked, restored } = await mask(text)
    expect(masked[0]).toBe('Use [LITERAL_1] for [EMAIL_1], or [LITERAL_2], [QUOTED_3], [STEP_1], [EMAIL_01].')
    expect(restored[0]).toBe(text)
  })

  test('what the vault never gave out stays as it is', async () => {
    const { vault } = await mask('a@x.org')
    expect(restoreText('[EMAIL_1] [EMAIL_2] [mail_1] [[EMAIL_1]]', vault)).toBe(
      'a@x.org [EMAIL_2] [mail_1] [a@x.org]',
    )
  })

  test('a stand-in in small letters or with escapes is restored whole, one behind a word in small letters is code', async () => {
    const { vault } = await mask('a@x.org')
    expect(
      restoreText('[email_1] \\[EMAIL\\_1\\] {"a":"\\\\[EMAIL\\\\_1\\\\]"} x[email_1] x[EMAIL_1]', vault),
    ).toBe('a@x.org a@x.org {"a":"a@x.org"} x[email_1] xa@x.org')
  })

  test('a stand-in in an encoded address is restored encoded, and a text that looks like one comes back as it was', async () => {
    const { vault } = await mask('a@x.org', 'https://y.org/?m=b%40x.org')
    expect(restoreText('https://y.org/?m=%5BEMAIL_1%5D&n=%5bemail_2%5d&o=%5BEMAIL_9%5D', vault)).toBe(
      'https://y.org/?m=a%40x.org&n=b%40x.org&o=%5BEMAIL_9%5D',
    )
    const text = 'a@x.org %5BEMAIL_1%5D'
    const { masked, restored } = await mask(text)
    expect(masked[0]).toBe('[EMAIL_1] [LITERAL_1]')
    expect(restored[0]).toBe(text)
  })

  test('restoring is done once: a value that looks like a stand-in is not looked into', async () => {
    const { vault, masked } = await mask('<<[EMAIL_1]>>', 'a@x.org')
    expect(masked).toEqual(['[QUOTED_1]', '[EMAIL_1]'])
    expect(restoreText('[QUOTED_1]', vault)).toBe('<<[EMAIL_1]>>')
  })
})

describe('JSON in a text', () => {
  const object = {
    'key@x.org': 'a@x.org',
    id: 4111111111111111,
    card: 4111111111111111,
    dateOfBirth: '1980-01-31',
    note: 'line\n"a@x.org"\té <<say "hi"\\>>',
    inner: JSON.stringify({ to: ['b@x.org'], deep: JSON.stringify({ more: '<<"x"\n>>' }) }),
  }

  test.each([0, 2])(
    'stays valid with %s spaces; keys and other numbers stay, and it comes back byte for byte',
    async (spaces) => {
      const text = JSON.stringify(object, null, spaces)
      const { masked, restored } = await mask(text)
      expect(JSON.parse(masked[0] ?? '')).toEqual({
        'key@x.org': '[EMAIL_1]',
        id: 4111111111111111,
        card: '[CREDIT_CARD_1]',
        dateOfBirth: '[DATE_OF_BIRTH_1]',
        note: 'line\n"[EMAIL_1]"\té [QUOTED_1]',
        inner: JSON.stringify({ to: ['[EMAIL_2]'], deep: JSON.stringify({ more: '[QUOTED_2]' }) }),
      })
      expect(restored).toEqual([text])
    },
  )

  test('one document a line is looked into line by line', async () => {
    const text = '{"a":"<<\\"1\\">>"}\n\n{"b":["b@x.org"]}\n'
    const { masked, restored } = await mask(text)
    expect(masked[0]).toBe('{"a":"[QUOTED_1]"}\n\n{"b":["[EMAIL_1]"]}\n')
    expect(restored[0]).toBe(text)
  })

  test('a line that is but a number is no JSON document', async () => {
    const { masked } = await mask('[1,2]\n4111111111111111')
    expect(masked[0]).toBe('[1,2]\n[CREDIT_CARD_1]')
  })

  test('escapes of the source are understood', async () => {
    const { masked } = await mask(String.raw`{"to":"caf\u00e9 a\u0040x.org\n","é":"\ud83d\ude00b@x.org"}`)
    expect(masked[0]).toBe(String.raw`{"to":"caf\u00e9 [EMAIL_1]\n","é":"\ud83d\ude00[EMAIL_2]"}`)
  })

  test('what only begins like JSON is a plain text', async () => {
    const { masked, restored } = await mask('{broken a@x.org', '["a@x.org"', '{"a": "a@x.org"} and more')
    expect(masked).toEqual(['{broken [EMAIL_1]', '["[EMAIL_1]"', '{"a": "[EMAIL_1]"} and more'])
    expect(restored[1]).toBe('["a@x.org"')
  })
})

test('a text for a remote model leaves masked, and its answer comes back with the real values', async () => {
  const { text, restore } = await maskForRemote('Sum up: a@x.org wrote to [EMAIL_1].', { find })
  expect(text).toBe('Sum up: [EMAIL_1] wrote to [LITERAL_1].')
  expect(restore('[EMAIL_1] wrote to [LITERAL_1], not [EMAIL_7].')).toBe(
    'a@x.org wrote to [EMAIL_1], not [EMAIL_7].',
  )
})

test('a text for a remote model that can not be masked does not leave', async () => {
  await expect(
    maskForRemote('a@x.org', { find: () => Promise.reject(new Error('out of memory')) }),
  ).rejects.toThrow('out of memory')
  await expect(maskForRemote('a@x.org', { find: () => Promise.resolve([]) })).rejects.toThrow(
    /no complete answer/,
  )
})
