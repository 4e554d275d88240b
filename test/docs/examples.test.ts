import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { writeExamples } from '../cases/examples.ts'
import { readCases } from '../cases/read-cases.ts'

const folder = new URL('../../docs/examples/', import.meta.url)

test('docs/examples are what the compressor makes today; `vitest -u` writes them', async () => {
  const files = writeExamples(readCases(), await loadCompressor())
  for (const [name, text] of files) await expect(text).toMatchFileSnapshot(new URL(name, folder).pathname)
  expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted())
})
