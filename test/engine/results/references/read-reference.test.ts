import { describe, expect, it } from 'vitest'
import { readReference } from '../../../../electron/engine/results/references/read-reference.ts'

const json =
  '{"items":[{"name":"a","n":1.0},{"name":"b","big":9007199254740993}],"a/b":{"~":"x"},"100%":7,"é x":null}'
const pointer = (at: string, texts: readonly string[] = [json]): string =>
  readReference(texts, { pointer: at })

describe('a JSON pointer', () => {
  it('gives a text as it is and anything else as JSON, digits and all', () => {
    expect(pointer('/items/0/name')).toBe('a')
    expect(pointer('/items/1')).toBe('{"name":"b","big":9007199254740993}')
    expect(pointer('/items/0/n')).toBe('1.0')
    expect(pointer('/a~1b/~0')).toBe('x')
    expect(pointer('/%C3%A9%20x')).toBe('null')
    expect(pointer('/é x')).toBe('null')
    expect(pointer('/100%')).toBe('7')
  })

  it('looks into the first text that has it', () => {
    expect(pointer('/b', ['a log', '{"a":1}', '{"b":2}'])).toBe('2')
  })

  it('that leads nowhere says how far it leads and what is there', () => {
    expect(() => pointer('/items/2')).toThrow('At /items there is no "2": it is a list of 2, counted from 0.')
    expect(() => pointer('/items/length')).toThrow('there is no "length"')
    expect(() => pointer('/item')).toThrow(
      'At its top there is no "item". It has "items", "a/b", "100%", "é x".',
    )
    expect(() => pointer('/items/0/name/x')).toThrow('a single value is there')
    expect(() => pointer('/toString')).toThrow('there is no "toString"')
    expect(() => pointer('/a', ['a log\nof lines'])).toThrow("It isn't JSON")
  })
})

describe('lines', () => {
  const text = 'one\r\ntwo\nthree\nfour'
  const lines = (first: number, last?: number): string => readReference([text], { lines: [first, last] })

  it('keep their ends, so that neighbours put together are the text', () => {
    expect(lines(1, 1)).toBe('one\r\n')
    expect(lines(2, 3)).toBe('two\nthree\n')
    expect(lines(3)).toBe('three\nfour')
    expect(lines(4, 900)).toBe('four')
    expect(lines(1, 2) + lines(3, 4)).toBe(text)
  })

  it('beyond the end are refused; a last line end begins no line', () => {
    expect(() => lines(5)).toThrow('It has 4 lines, so there is no line 5.')
    expect(() => readReference(['a\nb\n'], { lines: [3, 3] })).toThrow('It has 2 lines')
  })
})

it('the whole of several texts is each on lines of its own', () => {
  expect(readReference(['a', 'b'], undefined)).toBe('a\nb')
  expect(readReference([json], undefined)).toBe(json)
})
