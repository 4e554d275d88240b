import { execFileSync } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  OTHER_ARCHITECTURES,
  WRITING_ARCHITECTURES,
} from '../../../../electron/engine/models/gguf/architectures.ts'
import { readGgufHeader } from '../../../../electron/engine/models/gguf/read-gguf-header.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { writeTinyGguf, type TinyGgufOptions } from '../../../helpers/tiny-gguf.ts'

function written(options: TinyGgufOptions = {}): string {
  const path = join(temporaryFolder(), 'model.gguf')
  writeTinyGguf(path, options)
  return path
}

/** A valid file with these bytes changed. */
function changed(at: number, bytes: Buffer): string {
  const path = written()
  const content = readFileSync(path)
  bytes.copy(content, at)
  writeFileSync(path, content)
  return path
}

const text = (value: string) => ({ type: 'string', value }) as const
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

it('knows what it needs of a right file', async () => {
  const path = written({ layers: 3 })
  expect(await readGgufHeader(path)).toEqual({
    architecture: 'llama',
    name: 'Sluice test model',
    fileBytes: readFileSync(path).length,
    tensorBytes: expect.any(Number) as number,
    contextTokens: 2048,
    vocabulary: 266,
    // 3 layers × 2 heads × (16 + 16) values × 2 bytes
    bytesPerToken: 384,
    hasChatTemplate: true,
  })
})

it('says that there is no such file', async () => {
  const path = join(temporaryFolder(), 'none.gguf')
  await expect(readGgufHeader(path)).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: `There is no file ${path}. Look at its name and its folder.`,
  })
})

it('counts heads that differ from layer to layer', async () => {
  const perLayer = { type: 'i32s', value: [2, 0] } as const
  const { bytesPerToken } = await readGgufHeader(
    written({ metadata: { 'llama.attention.head_count_kv': perLayer } }),
  )
  expect(bytesPerToken).toBe(128)
})

const refused: readonly [string, () => string, RegExp][] = [
  ['a folder', () => temporaryFolder(), /can't be read|too short/],
  ['another kind of file', () => changed(0, Buffer.from('GGML')), /isn't a GGUF file/],
  ['an old version', () => changed(4, Buffer.from([1, 0, 0, 0])), /version 1/],
  ['the other byte order', () => changed(4, Buffer.from([0, 0, 0, 3])), /version 50331648/],
  ['impossibly many tensors', () => changed(8, u64(1n << 60n)), /impossible/],
  ['impossibly many keys', () => changed(16, u64(1n << 40n)), /impossible/],
  ['an endless first key', () => changed(24, u64(1n << 33n)), /text of 8589934592 bytes/],
  [
    'a model in parts',
    () => written({ metadata: { 'split.count': { type: 'u32', value: 3 } } }),
    /one of 3 parts/,
  ],
  [
    'a model without words',
    () => written({ metadata: { 'tokenizer.ggml.tokens': undefined } }),
    /no vocabulary/,
  ],
  ['a model of no kind', () => written({ metadata: { 'general.architecture': undefined } }), /what kind/],
  ['an embedding model', () => written({ architecture: 'nomic-bert' }), /does not write text/],
  ['an unknown kind', () => written({ architecture: 'martian' }), /"martian", which this version/],
  ['no context length', () => written({ metadata: { 'llama.context_length': undefined } }), /how much text/],
  [
    'a kind that is not text',
    () => written({ metadata: { 'general.architecture': { type: 'u32', value: 7 } } }),
    /what kind/,
  ],
  [
    'an empty file',
    () => {
      const path = join(temporaryFolder(), 'empty.gguf')
      writeFileSync(path, '')
      return path
    },
    /too short/,
  ],
]

it.each(refused)('refuses %s and says why', async (_, write, why) => {
  const error: unknown = await readGgufHeader(write()).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'MODEL_FILE_INVALID', message: expect.stringMatching(why) as string })
  expect((error as Error).message).toMatch(/Download it again, or take another GGUF file\.$/)
})

it('refuses a file that ends too early, wherever that is', async () => {
  const path = written({ metadata: { 'general.name': text('x'.repeat(300)) } })
  const whole = readFileSync(path)
  const { fileBytes } = await readGgufHeader(path)
  for (const size of [fileBytes - 64, fileBytes / 2, 9000, 5000, 700, 120, 25, 8]) {
    writeFileSync(path, whole)
    truncateSync(path, Math.floor(size))
    await expect(readGgufHeader(path), `cut to ${size}`).rejects.toMatchObject({ code: 'MODEL_FILE_INVALID' })
  }
})

it('ends for every single changed byte of the header, with an answer or a reason', async () => {
  const path = written()
  const whole = readFileSync(path)
  const target = join(temporaryFolder(), 'bent.gguf')
  for (let at = 0; at < 1500; at += 3) {
    const bent = Buffer.from(whole)
    bent[at] = (bent[at] ?? 0) ^ 0xff
    writeFileSync(target, bent)
    const outcome: unknown = await readGgufHeader(target).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'MODEL_FILE_INVALID' })
  }
})

it('knows every architecture of the library, and none that it does not have', () => {
  // In its own process: the library is large, and only the model process loads it.
  const print =
    "import('node-llama-cpp').then((all) => console.log(JSON.stringify(Object.values(all.GgufArchitectureType))))"
  const names = JSON.parse(execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' })) as string[]
  const known = [...WRITING_ARCHITECTURES, ...OTHER_ARCHITECTURES]
  expect(known.toSorted()).toEqual(names.filter((name) => name !== '(unknown)').toSorted())
})
