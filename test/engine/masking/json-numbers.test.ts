import { assert, constantFrom, integer, property } from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import type { CallTool } from '../../../electron/engine/message/call.ts'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { findInTexts } from '../../../electron/engine/masking/find-in-texts.ts'
import {
  hideKnownInValue,
  maskInValue,
  restoreForServer,
  restoreInValue,
} from '../../../electron/engine/masking/mask-in-value.ts'
import { createSessionMasking } from '../../../electron/engine/masking/masking.ts'
import { restoreText } from '../../../electron/engine/masking/mask-texts.ts'
import { countFromOne, Vault } from '../../../electron/engine/masking/vault.ts'
import { parseExact, stringifyExact } from '../../../electron/engine/protocol/exact-json.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { DEFAULT_PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../../shared/masking-policy.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'

const types = DEFAULT_PERSONAL_DATA_TYPES
const masked = (text: string): string => maskText(text, { types }).text
const policy: MaskingPolicy = { direction: 'from-model', types, customPatterns: {} }
const mask = <Value>(value: Value, vault: Vault): Promise<Value> =>
  maskInValue(value, vault, policy, async (input) => findInTexts(input))

/** Key, number and the type that it is. */
const PERSONAL: readonly (readonly [string, string, string])[] = [
  ['phone', '4915112345678', 'PHONE'],
  ['phone', '5551234567', 'PHONE'],
  ['phoneNumber', '4930123456', 'PHONE'],
  ['phone_1', '4915112345678', 'PHONE'],
  ['work_phone', '13125550123', 'PHONE'],
  ['mobile', '919876543210', 'PHONE'],
  ['mobile_number', '9876543210', 'PHONE'],
  ['telefono', '34612345678', 'PHONE'],
  ['Telefonnummer', '49301234567', 'PHONE'],
  ['téléphone', '33612345678', 'PHONE'],
  ['телефон', '79123456789', 'PHONE'],
  ['手机号', '13800138000', 'PHONE'],
  ['whatsapp', '5511987654321', 'PHONE'],
  ['phone', '4915112345678.0', 'PHONE'],
  ['ssn', '123456789', 'SSN'],
  ['social_security_number', '123456789', 'SSN'],
  ['card', '4111111111111111', 'CREDIT_CARD'],
  ['cardNumber', '378282246310005', 'CREDIT_CARD'],
  ['kreditkarte', '5555555555554444', 'CREDIT_CARD'],
  ['tarjeta', '4111111111111111', 'CREDIT_CARD'],
  ['steuerId', '12345678911', 'NATIONAL_ID'],
  ['pesel', '44051401359', 'NATIONAL_ID'],
  ['aadhaar', '234123412346', 'NATIONAL_ID'],
  ['nhs_number', '9434765919', 'NATIONAL_ID'],
  ['tax_id', '123456789', 'NATIONAL_ID'],
  ['passport_no', '123456789', 'PASSPORT'],
  ['dob', '19800512', 'DATE_OF_BIRTH'],
  ['Geburtsdatum', '19800512', 'DATE_OF_BIRTH'],
  ['account_number', '12345678901', 'IBAN'],
  ['Kontonummer', '1234567890', 'IBAN'],
  ['pin', '4711', 'API_KEY'],
  ['otp', '482913', 'API_KEY'],
  ['cvv', '123', 'API_KEY'],
  ['password', '12345678', 'API_KEY'],
]

/** What stays: ids, times, counts, sizes, coordinates, prices. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['id', '4111111111111111'],
  ['phone_id', '4915112345678'],
  ['contact_id', '123456789'],
  ['phone_number_id', '106540352242922'],
  ['card_id', '4111111111111111'],
  ['kontoId', '123456789'],
  ['patientenId', '12345'],
  ['phone', '1700000000'],
  ['phone', '1700000000000'],
  ['phone', '3'],
  ['phone', '49'],
  ['phone_verified_at', '1700000000'],
  ['phones', '15230'],
  ['mobile', '83920112'],
  ['mobile', '1700000000'],
  ['mobile', '10485760000'],
  ['mobile_users', '4915112345'],
  ['cell', '123456789'],
  ['contact', '884422113'],
  ['telemetry', '4915112345678'],
  ['iphone', '4915112345'],
  ['smartphone', '4915112345'],
  ['telephone_count', '4915112345'],
  ['card_balance', '4111111111111111'],
  ['discard', '4111111111111111'],
  ['credit', '4111111111111111'],
  ['ssn_last4', '6789'],
  ['birth_year', '1980'],
  ['dob', '326937600'],
  ['pass', '1523'],
  ['passed', '15230'],
  ['pins', '15230'],
  ['pin', '13'],
  ['pin', '560'],
  ['wrong_password', '1523'],
  ['passwords', '15230'],
  ['password_min_length', '1523'],
  ['pins_count', '4711'],
  ['order_number', '5551234567'],
  ['timestamp', '4111111111111111'],
  ['size', '4111111111111111'],
  ['lat', '52.520008'],
  ['phone', '-4915112345678'],
  ['phone', '4.915112345678e12'],
  ['phone', '49.15112345678'],
]

const around = (key: string, number: string): string =>
  `{ "id": 7,\t${JSON.stringify(key)} :${number} , "ok":true}`

describe('JSON numbers under keys that name those of persons', () => {
  test.each(PERSONAL)('%s: %s is hidden as %s', (key, number, type) => {
    const text = around(key, number)
    expect(masked(text)).toBe(around(key, `"[${type}_1]"`))
  })

  test.each(OTHERS)('%s: %s stays', (key, number) => {
    expect(masked(around(key, number))).toBe(around(key, number))
  })

  test('in lists, lines, rows, nested objects, and JSON within strings', () => {
    const inner = '{"phone":4915112345678}'
    expect(masked('{"phones":[4915112345678,5551234567]}')).toBe('{"phones":["[PHONE_1]","[PHONE_2]"]}')
    expect(masked(`${inner}\n{"phone":13125550123}`)).toBe('{"phone":"[PHONE_1]"}\n{"phone":"[PHONE_2]"}')
    expect(masked('[["id","phone"],[4711000000,4915112345678]]')).toBe(
      '[["id","phone"],[4711000000,"[PHONE_1]"]]',
    )
    expect(masked('{"card":{"number":4111111111111111,"cvc":123}}')).toBe(
      '{"card":{"number":"[CREDIT_CARD_1]","cvc":"[API_KEY_1]"}}',
    )
    for (let text = inner, depth = 0; depth < 3; depth++, text = JSON.stringify({ body: text })) {
      const hidden = masked(text)
      let value: unknown = JSON.parse(hidden)
      for (let i = 0; i < depth; i++) value = JSON.parse((value as { body: string }).body)
      expect(value).toEqual({ phone: '[PHONE_1]' })
    }
  })

  test('masked texts are valid JSON, and come back byte for byte', () => {
    const key = constantFrom(...PERSONAL.map(([name]) => name), ...OTHERS.map(([name]) => name))
    const number = constantFrom(
      ...PERSONAL.map(([, digits]) => digits),
      ...OTHERS.map(([, digits]) => digits),
    )
    assert(
      property(key, number, key, number, integer({ min: 0, max: 2 }), (one, first, two, second, depth) => {
        let text = `{${JSON.stringify(one)}: ${first},"list":[{${JSON.stringify(two)}:${second}}],"q":"a \\" b"}`
        for (let i = 0; i < depth; i++) text = JSON.stringify([text])
        const vault = new Vault(countFromOne())
        const spans = findInTexts({ texts: [{ text }], types, customPatterns: {}, names: [], known: [] })[0]
        let hidden = ''
        let end = 0
        for (const { start, end: to, type, value, quotes = '' } of spans ?? []) {
          expect(text.slice(start, to)).toBe(value)
          hidden += text.slice(end, start) + quotes + vault.placeholderFor(type, value, true) + quotes
          end = to
        }
        hidden += text.slice(end)
        expect(() => JSON.parse(hidden) as unknown).not.toThrow()
        expect(restoreText(hidden, vault)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('values: a number becomes a text and returns as the same number, with its spelling', async () => {
    const text =
      '{"user":{"phone":4915112345678.0,"card":4111111111111111111,"id":4111111111111111},"phones":[5551234567]}'
    const vault = new Vault(countFromOne())
    const value = parseExact(text)
    const hidden = await mask(value, vault)
    expect(JSON.parse(JSON.stringify(hidden))).toEqual({
      user: { phone: '[PHONE_1]', card: 4111111111111111000, id: 4111111111111111 },
      phones: ['[PHONE_2]'],
    })
    expect(stringifyExact(restoreInValue(hidden, vault))).toBe(text)
    expect(stringifyExact(restoreForServer({ a: [{ phone: '[PHONE_1]' }] }, vault, policy))).toBe(
      '{"a":[{"phone":4915112345678.0}]}',
    )
    expect(stringifyExact(value)).toBe(text)
  })

  test('a number and the same digits in a text have placeholders of their own', async () => {
    const vault = new Vault(countFromOne())
    const value = {
      card: 4111111111111111,
      note: 'Card 4111111111111111 was used.',
      text: '{"card":4111111111111111}',
    }
    const hidden = await mask(value, vault)
    expect(hidden).toEqual({
      card: '[CREDIT_CARD_1]',
      note: 'Card [CREDIT_CARD_2] was used.',
      text: '{"card":"[CREDIT_CARD_1]"}',
    })
    expect(restoreInValue(hidden, vault)).toEqual(value)
    // In a sentence and under keys of texts its digits come back.
    expect(restoreInValue({ text: '[CREDIT_CARD_1]', say: 'No. [CREDIT_CARD_1]' }, vault)).toEqual({
      text: '4111111111111111',
      say: 'No. 4111111111111111',
    })
  })

  test('texts of kept results hide a known number and stay valid JSON', async () => {
    const vault = new Vault(countFromOne())
    await mask({ card: 4111111111111111 }, vault)
    expect(hideKnownInValue('{"paid":4111111111111111}', vault)).toBe('{"paid":"[CREDIT_CARD_1]"}')
    expect(hideKnownInValue('paid with 4111111111111111', vault)).toBe('paid with [CREDIT_CARD_1]')
  })
})

describe('numbers in calls', () => {
  const call = (args: JsonObject, inputSchema?: JsonObject) => ({
    id: 'c',
    clientName: 'test',
    sessionId: 's',
    serverId: 'crm',
    tool: 'save',
    arguments: args,
    definition: inputSchema && { inputSchema },
    policy: {
      ...BUILT_IN_POLICY,
      guard: { ...BUILT_IN_POLICY.guard },
      masking: { ...BUILT_IN_POLICY.masking, direction: 'from-model' as const },
      hidden: false,
      description: undefined,
      hideParameters: [],
      parameterOverrides: {},
    },
    goal: undefined,
    bypass: false,
    signal: new AbortController().signal,
  })

  test('arguments get a number or a text, as the schema of the tool says', async () => {
    const masking = createSessionMasking({
      find: async (input) => findInTexts(input),
      search: () => undefined,
      nextNumber: countFromOne(),
    })
    const seen: unknown[] = []
    const server: CallTool = async ({ arguments: args }) => {
      seen.push(args)
      return {
        result: { structuredContent: { phone: 4915112345678, text: 'Call +1 212-555-0123 or 5551234567' } },
      }
    }
    const layer = masking.hideFromModel.call(server)
    const { result } = await layer(call({}))
    expect(result['structuredContent']).toEqual({
      phone: '[PHONE_1]',
      text: 'Call [PHONE_2] or [PHONE_3]',
    })
    const number = { type: 'integer' }
    const text = { type: 'string' }
    await layer(call({ to: '[PHONE_1]', phone: '[PHONE_1]', other: '[PHONE_3]' }))
    await layer(
      call(
        { to: '[PHONE_1]', phone: '[PHONE_1]', other: '[PHONE_3]', all: [{ to: '[PHONE_1]' }] },
        {
          type: 'object',
          properties: {
            to: number,
            phone: text,
            other: number,
            all: { type: 'array', items: { $ref: '#/$defs/one' } },
          },
          $defs: { one: { type: 'object', properties: { to: { anyOf: [number, { type: 'null' }] } } } },
        },
      ),
    )
    expect(seen.slice(1)).toEqual([
      { to: '4915112345678', phone: 4915112345678, other: '5551234567' },
      { to: 4915112345678, phone: '4915112345678', other: 5551234567, all: [{ to: 4915112345678 }] },
    ])
  })
})
