import { describe, expect, it } from 'vitest'
import { findLongStrings } from '../../../electron/engine/protocol/find-long-strings.ts'

const insides = (json: string, long: number): string[] => {
  const bytes = new TextEncoder().encode(json)
  return findLongStrings(bytes, long).map(({ start, end }) => Buffer.from(bytes.slice(start, end)).toString())
}

describe('findLongStrings', () => {
  it('finds what lies between the quotes, escapes and all', () => {
    const text = 'a "quoted" word, a \\ at the end\\'
    const json = JSON.stringify({ short: 'x', list: [text, 1, 'ü'.repeat(20)] })
    expect(insides(json, 20)).toEqual([JSON.stringify(text).slice(1, -1), 'ü'.repeat(20)])
  })

  it('finds none in a document that is more than its long strings', () => {
    const long = 'x'.repeat(1000)
    const around = Array.from({ length: 20_000 }, (_, n) => `item ${n}`)
    expect(insides(JSON.stringify([long, 1]), 1000)).toEqual([long])
    expect(insides(JSON.stringify([long, around]), 1000)).toEqual([])
    expect(insides(JSON.stringify([around, long]), 1000)).toEqual([])
    expect(insides(`[${' '.repeat(200_000)}"${long}"]`, 1000)).toEqual([])
    expect(insides(`["${long}"${' '.repeat(200_000)}]`, 1000)).toEqual([])
  })

  it('gives up a string of so many quotes that looking costs more than it gains', () => {
    expect(insides(JSON.stringify('"'.repeat(400_000)), 1000)).toHaveLength(1)
    expect(insides(JSON.stringify('"'.repeat(600_000)), 1000)).toEqual([])
  })

  it.each(['', '"', '"abc', '["abc\\"', 'no quote', `"${'a'.repeat(30)}`])(
    'ends at the end of %j',
    (broken) => {
      expect(insides(broken, 3)).toEqual([])
    },
  )
})
