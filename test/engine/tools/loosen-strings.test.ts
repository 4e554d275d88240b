import { describe, expect, test } from 'vitest'
import { outputCheck } from '../../../electron/engine/compression/output-schema.ts'
import { forPlaceholders } from '../../../electron/engine/tools/loosen-strings.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { BUILT_IN_POLICY } from '../../../shared/policy.ts'

const masked = (direction: 'off' | 'from-server' | 'from-model') => ({
  masking: { ...BUILT_IN_POLICY.masking, direction },
})

/** The argument schema for a client that sees placeholders. */
const loosened = (inputSchema: JsonObject): JsonObject =>
  forPlaceholders({ inputSchema }, masked('from-model'))['inputSchema'] as JsonObject

describe('schemas', () => {
  test('placeholders fit wherever a string was demanded in a certain form', () => {
    const schema = {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        phones: { type: 'array', items: { type: 'string', pattern: '^\\+', minLength: 5 }, minItems: 1 },
        contact: {
          oneOf: [
            { type: 'string', pattern: '@' },
            { type: 'string', pattern: '^\\+' },
          ],
        },
        home: { $ref: '#/$defs/address' },
        unnamed: { not: { type: 'string', pattern: '^x' } },
      },
      required: ['email'],
      $defs: { address: { type: 'object', properties: { zip: { type: 'string', maxLength: 5 } } } },
    }
    const check = outputCheck(loosened(schema))
    const value = {
      email: '[EMAIL_1]',
      phones: ['[PHONE_1]'],
      contact: '[PHONE_1]',
      home: { zip: '[ADDRESS_1]' },
      unnamed: 'x',
    }
    expect(outputCheck(schema)(value)).toBe(false)
    expect(check(value)).toBe(true)
    expect(check({ ...value, email: 1 })).toBe(false)
    expect(check({ phones: value.phones })).toBe(false)
    expect(check({ ...value, phones: [] })).toBe(false)
  })

  test('properties that are named like keywords stay, and so does what demands nothing', () => {
    const schema = { type: 'object', properties: { format: { type: 'string' }, pattern: { const: 'x' } } }
    expect(loosened(schema)).toBe(schema)
    const named = { type: 'object', properties: { format: { type: 'string', format: 'uri' } } }
    expect(loosened(named)).toEqual({ type: 'object', properties: { format: { type: 'string' } } })
  })

  test('nesting without end is no trouble', () => {
    let schema: Record<string, unknown> = { pattern: 'x' }
    for (let depth = 0; depth < 50_000; depth++) schema = { items: schema }
    expect(loosened(schema)).toBe(schema)
  })
})

describe('forStandIns', () => {
  const definition = {
    name: 't',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'string', format: 'email' },
  }

  test('changes a tool only for a model that sees placeholders', () => {
    expect(forPlaceholders(definition, masked('off'))).toBe(definition)
    expect(forPlaceholders(definition, masked('from-server'))).toBe(definition)
    expect(forPlaceholders(definition, masked('from-model'))).toEqual({
      name: 't',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'string' },
    })
  })
  test('numbers that may be hidden are texts, too: any in results, those under keys of persons in arguments', () => {
    const properties = {
      limit: { type: 'integer', maximum: 9 },
      phone: { type: ['integer', 'null'], minimum: 1 },
      cards: { type: 'array', items: { type: 'number' } },
      user: { type: 'object', properties: { ssn: { type: 'integer' }, age: { type: 'integer' } } },
    }
    const loosened = forPlaceholders(
      { inputSchema: { type: 'object', properties }, outputSchema: { type: 'object', properties } },
      masked('from-model'),
    )
    const user = (age: unknown) => ({
      type: 'object',
      properties: { ssn: { type: ['integer', 'string'] }, age: { type: age } },
    })
    const same = {
      phone: { type: ['integer', 'null', 'string'], minimum: 1 },
      cards: { type: 'array', items: { type: ['number', 'string'] } },
    }
    expect(loosened).toEqual({
      inputSchema: {
        type: 'object',
        properties: { limit: { type: 'integer', maximum: 9 }, ...same, user: user('integer') },
      },
      outputSchema: {
        type: 'object',
        properties: {
          limit: { type: ['integer', 'string'], maximum: 9 },
          ...same,
          user: user(['integer', 'string']),
        },
      },
    })
  })
})
