import * as fc from '../../helpers/properties.ts'
import { describe, expect, it } from 'vitest'
import { parsePieces } from '../../../electron/engine/protocol/parse-pieces.ts'
import { textsAsTheyCame } from '../../../electron/engine/protocol/texts-as-they-came.ts'

const inPieces = (json: string | Uint8Array, size: number): Uint8Array<ArrayBuffer>[] => {
  const bytes = typeof json === 'string' ? new TextEncoder().encode(json) : json
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(new Uint8Array(bytes.subarray(at, at + size)))
  return pieces
}
const heldOf = (text: string): string | undefined => {
  const inside = textsAsTheyCame.insideOf(text)
  return inside && Buffer.from(inside).toString()
}

describe('parsePieces', () => {
  it('gives what JSON.parse gives, wherever the document is cut', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.nat(9),
        (value, text, cut) => {
          const json = JSON.stringify({ value, content: [{ text: `${text}".\\${text}` }], [text]: text })
          expect(parsePieces(inPieces(json, cut + 1), { longString: 5 })).toEqual(JSON.parse(json))
        },
      ),
    )
  })

  it('holds how a long text was written', () => {
    // \u0041 is A, \/ is a slash: a serialiser writes neither.
    const inside = '\\u0041 path\\/to \\ud83d\\ude00 😀'
    expect(parsePieces(inPieces(`{"text":"${inside}","text2":"b"}`, 7), { longString: 10 })).toEqual({
      text: 'A path/to 😀 😀',
      text2: 'b',
    })
    expect(heldOf('A path/to 😀 😀')).toBe(inside)
    expect(heldOf('b')).toBeUndefined()
  })

  it('takes the last of two fields of one name, as JSON.parse does', () => {
    const json = '{"text":"the first long one","text":"the second long one"}'
    expect(parsePieces(inPieces(json, 100), { longString: 5 })).toEqual({ text: 'the second long one' })
  })

  it('reads what is no UTF-8 as before, and does not hold it', () => {
    const bytes = Buffer.from('{"text":"long enough: ?"}')
    bytes[bytes.indexOf('?')] = 0xff
    expect(parsePieces(inPieces(bytes, 9), { longString: 5 })).toEqual({ text: 'long enough: \ufffd' })
    expect(heldOf('long enough: \ufffd')).toBeUndefined()
  })

  it.each(['{"text":"a raw\nline break"}', '{"text":"long enough"', '{"text":"long enough",}', '"long \\x"'])(
    'refuses %j in the words of JSON.parse',
    (json) => {
      const messageOf = (work: () => unknown): string => {
        try {
          return `no error: ${String(work())}`
        } catch (error) {
          return String(error)
        }
      }
      const expected = messageOf(() => JSON.parse(json))
      expect(expected).toContain('SyntaxError')
      expect(messageOf(() => parsePieces(inPieces(json, 4), { longString: 5 }))).toBe(expected)
    },
  )
})
