import * as fc from '../../../helpers/properties.ts'
import { expect, test } from 'vitest'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { buildValue } from '../../../../electron/engine/text/tree/json-values.ts'
import { fieldStart, nodeAt, pathFinder } from '../../../../electron/engine/text/tree/places.ts'

const pathAt = (text: string, place: number) => {
  const document = parseJson(text)
  if (!document) throw new Error('This is no JSON.')
  return pathFinder(document)(nodeAt(document, place))
}

test('a place belongs to the innermost value around it, a name to its field', () => {
  const text = '{"a": [1, {"b": "x"}], "c": {}}'
  const at = (part: string) => pathAt(text, text.indexOf(part))
  expect(at('{')).toEqual([])
  expect(at('"a"')).toEqual(['a'])
  expect(at('1')).toEqual(['a', 0])
  expect(at('"b"')).toEqual(['a', 1, 'b'])
  expect(at('x')).toEqual(['a', 1, 'b'])
  expect(at('}]')).toEqual(['a', 1])
  expect(at('], ')).toEqual(['a'])
  expect(at('{}}')).toEqual(['c'])
  expect(pathAt('{"a":1}\n{"a":2}', 12)).toEqual([1, 'a'])
})

test('a field starts with its name, whatever is before it', () => {
  const text = '{"a\\"": {"x": [[]]},\n "b" : 5}'
  const document = parseJson(text)
  if (!document) throw new Error('This is no JSON.')
  expect(text.slice(fieldStart(document, document.count - 1))).toBe('"b" : 5}')
  expect(fieldStart(document, 2)).toBe(1)
})

test('values are those of JSON.parse, and written again as in their source', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      const document = parseJson(text)
      expect(document && JSON.stringify(buildValue(document))).toBe(JSON.stringify(value))
    }),
  )
  const odd = '{"a":1.0,"b":[12345678901234567890,1e5,-0],"__proto__":{"x":"\\ud800"}}'
  const document = parseJson(odd)
  expect(document && JSON.stringify(buildValue(document))).toBe(odd)
})
