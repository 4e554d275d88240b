import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packResult, packSmallResult } from '../../../electron/engine/work/pack-result.ts'

test.each([
  ['small', 100],
  ['at once', 15_000_000],
  ['as a stream', 16_000_000],
])('a result packed %s has the name and bytes of its JSON', async (_, length) => {
  const result = { content: [{ type: 'text', text: 'ä\ud800"\n'.repeat(length / 4) }] }
  const { sha256, size, bytes } = await packResult(result)
  const json = Buffer.from(JSON.stringify(result))
  expect([sha256, size]).toEqual([createHash('sha256').update(json).digest('hex'), json.length])
  expect(zstdDecompressSync(bytes).equals(json)).toBe(true)
  expect(packSmallResult(result).sha256).toBe(sha256)
})
