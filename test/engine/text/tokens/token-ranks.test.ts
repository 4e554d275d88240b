import { expect, test } from 'vitest'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { loadTokenRanks } from '../../../../electron/engine/text/tokens/load-token-ranks.ts'
import {
  createTokenTable,
  NOT_ASCII,
  TokenRanks,
} from '../../../../electron/engine/text/tokens/token-ranks.ts'

const line = (bytes: string, rank: number): string =>
  `${Buffer.from(bytes, 'latin1').toString('base64')} ${rank}`

const ranksOf = (file: string): TokenRanks => new TokenRanks(createTokenTable(Buffer.from(file)))
const unitsOf = (bytes: string): Uint16Array => Uint16Array.from(Buffer.from(bytes, 'latin1'))

test("every token of gpt-tokenizer's own table has its rank, but for those after a byte order mark", () => {
  const ranks = loadTokenRanks()
  const wrong = o200k.filter((token, rank) => {
    const bytes = Buffer.from(token as string).toString('latin1')
    return ranks.rankOf(unitsOf(bytes), 0, bytes.length) !== (bytes.startsWith('\xef\xbb\xbf') ? -1 : rank)
  })
  expect(o200k.length).toBeGreaterThan(199_000)
  expect(wrong).toEqual([])
})

test('a part of a text is looked up where it stands', () => {
  const ranks = ranksOf(`${line('a', 0)}\n${line('ab', 1)}\n${line('\xff', 2)}\n`)
  expect(ranks.rankOf(unitsOf('xab'), 1, 3)).toBe(1)
  expect(ranks.rankOf(unitsOf('xab'), 1, 2)).toBe(0)
  expect(ranks.rankOf(unitsOf('\xff'), 0, 1)).toBe(2)
  expect(ranks.rankOf(unitsOf('abc'), 0, 3)).toBe(-1)
  expect(ranks.rankOf(unitsOf(''), 0, 0)).toBe(-1)
  expect(ranks.rankOfAscii(unitsOf('xab'), 1, 3)).toBe(1)
  expect(ranks.rankOfAscii(unitsOf('abc'), 0, 3)).toBe(-1)
  expect(ranks.rankOfAscii(unitsOf('a\xff'), 0, 2)).toBe(NOT_ASCII)
})

test('a file without a line break at its end is read to its end', () => {
  expect(ranksOf(`${line('a', 0)}\n${line('b', 1)}`).rankOf(unitsOf('b'), 0, 1)).toBe(1)
})

test('a damaged file is refused', () => {
  expect(() => ranksOf(`${line('a', 0)}\n${line('b', 7)}\n`)).toThrow('rank')
})
