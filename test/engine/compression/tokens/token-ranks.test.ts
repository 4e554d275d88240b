import { expect, test } from 'vitest'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import {
  loadTokenRanks,
  parseTokenRanks,
} from '../../../../electron/engine/compression/tokens/token-ranks.ts'

const line = (bytes: string, rank: number): string =>
  `${Buffer.from(bytes, 'latin1').toString('base64')} ${rank}`

test("every token of gpt-tokenizer's own table has its rank, but for those after a byte order mark", () => {
  const ranks = loadTokenRanks()
  const wrong = o200k.filter((token, rank) => {
    const bytes = Buffer.from(token as string).toString('latin1')
    return ranks.rankOf(bytes) !== (bytes.startsWith('\xef\xbb\xbf') ? -1 : rank)
  })
  expect(o200k.length).toBeGreaterThan(199_000)
  expect(wrong).toEqual([])
})

test('a part of a text is looked up where it stands', () => {
  const ranks = parseTokenRanks(Buffer.from(`${line('a', 0)}\n${line('ab', 1)}\n${line('\xff', 2)}\n`))
  expect(ranks.rankOf('xab', 1, 3)).toBe(1)
  expect(ranks.rankOf('xab', 1, 2)).toBe(0)
  expect(ranks.rankOf('\xff')).toBe(2)
  expect(ranks.rankOf('abc')).toBe(-1)
  expect(ranks.rankOf('')).toBe(-1)
})

test('a file without a line break at its end is read to its end', () => {
  expect(parseTokenRanks(Buffer.from(`${line('a', 0)}\n${line('b', 1)}`)).rankOf('b')).toBe(1)
})

test('a damaged file is refused', () => {
  expect(() => parseTokenRanks(Buffer.from(`${line('a', 0)}\n${line('b', 7)}\n`))).toThrow('rank')
})
