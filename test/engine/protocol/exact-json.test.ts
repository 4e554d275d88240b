import { describe, expect, test } from 'vitest'
import {
  carrySources,
  parseExact,
  sourceOf,
  stringifyExact,
  withSource,
} from '../../../electron/engine/protocol/exact-json.ts'
import {
  forTransport,
  parseMessage,
  stringifyMessage,
} from '../../../electron/engine/protocol/exact-message.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { placeSources, sourcesIn } from '../../../electron/engine/protocol/move-sources.ts'

const parsed = (text: string): JsonObject => parseExact(text) as JsonObject

test.each([
  '{"a":9007199254740993,"b":[1.0,-0,1e400,-1E-9],"c":"\\u00e9\\/"}',
  '{"10":1,"2":{"1":2,"0":3},"z":4}',
  '[1.50,[0.0000001]]',
  '{"__proto__":{"a":1.0},"toJSON":2.0}',
  '{"a":{},"b":[],"c":"} ] , : 1.0"}',
])('%s is written as it came', (text) => {
  expect(stringifyExact(parseExact(text))).toBe(text)
})

test('values stay ordinary', () => {
  expect(JSON.stringify(parsed('{"a":1.0,"b":9007199254740993}'))).toBe('{"a":1,"b":9007199254740992}')
  expect(Object.keys(parsed('{"a":1.0}'))).toEqual(['a'])
})

describe('after a change', () => {
  test('what was spread or taken out of keeps the digits of what is left', () => {
    const { goal: _, ...rest } = parsed('{"id":9007199254740993,"goal":"x","list":[1.0]}')
    expect(stringifyExact({ ...rest, more: true })).toBe('{"id":9007199254740993,"list":[1.0],"more":true}')
  })

  test('a value put in the place of another is written as itself', () => {
    expect(stringifyExact({ ...parsed('{"id":9007199254740993,"n":1.0}'), id: 5 })).toBe('{"id":5,"n":1.0}')
    const mutable = parsed('{"n":1.0,"s":"\\u0041"}')
    mutable['n'] = 2
    mutable['s'] = 'masked'
    expect(stringifyExact(mutable)).toBe('{"n":2,"s":"masked"}')
  })

  test('a copy that is made otherwise takes the notes along', () => {
    const from = parsed('{"2":1.0,"1":3}')
    const copy = carrySources(from, Object.fromEntries(Object.entries(from)))
    expect(stringifyExact(copy)).toBe('{"2":1.0,"1":3}')
    expect(stringifyExact(withSource({ price: 1 }, 'price', '1.00'))).toBe('{"price":1.00}')
  })
})

test('items of a list in new objects around them are written as they came', () => {
  const { items } = parsed('{"items":[{"plain":1},{"2":1.0,"1":9007199254740993}]}') as {
    items: JsonObject[]
  }
  const shown = [{}, ...items.map((item) => ({ ...item, name: 'x' }))]
  const text = '[{},{"plain":1,"name":"x"},{"2":1.0,"1":9007199254740993,"name":"x"}]'
  expect(stringifyExact({ id: 1, result: { tools: shown } })).toBe(`{"id":1,"result":{"tools":${text}}}`)
  expect(stringifyExact({ tools: shown })).toBe(`{"tools":${text}}`)
  const many = [...Array.from({ length: 200 }, () => ({})), ...shown]
  expect(stringifyExact(many)).toContain('{"2":1.0,"1":9007199254740993,"name":"x"}]')
})

test('what nobody can change any more keeps its order, too', () => {
  const text = '{"10":{"z":5,"2":3},"2":1}'
  const value = parsed(text)
  Object.freeze(value['10'])
  expect(stringifyExact(Object.freeze(value))).toBe(text)
})

test('of a key that comes twice only what was checked goes on', () => {
  expect(stringifyExact(parseExact('{"text":"evil","n":1.0,"text":"good"}'))).toBe('{"text":"good","n":1.0}')
  expect(stringifyExact(parseExact('{"a":{"b":1.0},"a":{"b":2,"c":"x"}}'))).toBe('{"a":{"b":2,"c":"x"}}')
  expect(sourceOf(parsed('{"a":1.0,"a":"1.0"}'), 'a')).toBeUndefined()
})

test('notes cross the border of a thread', () => {
  const text = '{"value":{"2":[{"id":9007199254740993}],"1":1.0}}'
  const value = parseExact(text)
  const copy: unknown = structuredClone(value)
  expect(stringifyExact(copy)).not.toBe(text)
  const tree = sourcesIn(value)
  if (tree) placeSources(copy, structuredClone(tree))
  expect(stringifyExact(copy)).toBe(text)
  expect(sourcesIn(JSON.parse('{"a":1}'))).toBeUndefined()
})

test('a flood of odd spellings keeps every number that would be another one', () => {
  const text = `[${'1.0,'.repeat(30_000)}9007199254740993,1e400,-0,0.1234567890123456789]`
  const written = stringifyExact(parseExact(text))
  expect(written.endsWith(',9007199254740993,1e400,-0,0.1234567890123456789]')).toBe(true)
  expect(JSON.parse(written)).toEqual(JSON.parse(text))
})

test('what is nested too deep to be looked through is written all the same', () => {
  const deep = `${'['.repeat(2500)}1.0${']'.repeat(2500)}`
  expect(JSON.parse(stringifyExact(parseExact(deep)))).toBeDefined()
})

describe('ids', () => {
  test('two that a double can not tell apart stay two, and go out as numbers', () => {
    const one = parseMessage('{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}') as JsonObject
    const other = parseMessage('{"jsonrpc":"2.0","id":9007199254740992,"method":"x"}') as JsonObject
    expect(one['id']).not.toBe(other['id'])
    const answer = { jsonrpc: '2.0', id: one['id'], result: {} }
    expect(stringifyMessage(answer)).toBe('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}')
    expect(JSON.stringify(forTransport(answer))).toBe(stringifyMessage(answer))
  })

  test('tokens and names of requests in a message do, too', () => {
    const text =
      '{"jsonrpc":"2.0","method":"x","params":{"requestId":18446744073709551615,"_meta":{"progressToken":9007199254740995}}}'
    expect(stringifyMessage(parseMessage(text))).toBe(text)
  })

  test('a number that is one stays it, however it is written', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":1.0,"result":{}}')).toMatchObject({ id: 1 })
    expect(parseMessage('{"jsonrpc":"2.0","id":1e2,"result":{}}')).toMatchObject({ id: 100 })
  })

  test('a text that looks like one of ours and holds no number stays a text', () => {
    const message = { jsonrpc: '2.0', id: '\u0000number:1,"x":2', result: {} }
    expect(JSON.parse(stringifyMessage(message))).toEqual(message)
  })
})
