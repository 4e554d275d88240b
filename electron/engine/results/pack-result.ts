import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { SluiceError } from '../ground/errors.ts'
import { parseExact } from '../protocol/exact-json.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { resultParts } from './result-parts.ts'
import { type PackedResult, packResult } from '../work/pack-result.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'pack-result': (result: JsonObject) => Promise<PackedResult>
    'pack-readable-result': (result: JsonObject) => Promise<PackedResult>
    'unpack-result': (source: ResultSource) => Promise<JsonObject>
  }
}

const decompress = promisify(zstdDecompress)

export interface ResultSource {
  readonly path: string
  readonly sha256: string
  readonly size: number
}

export const packReadable = async (result: JsonObject): Promise<PackedResult> => ({
  ...(await packResult(result)),
  readable: readableOf(result),
})

export function readableOf(result: JsonObject): Uint8Array {
  const texts = resultParts(result).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return Buffer.from(texts.join('\n'), 'utf8')
}

/** Verifies the hash. Throws RESULT_EXPIRED if gone or damaged. */
export async function unpackResult({ path, sha256 }: Omit<ResultSource, 'size'>): Promise<JsonObject> {
  try {
    const original = await decompress(await readFile(path))
    const found = createHash('sha256').update(original).digest('hex')
    if (found !== sha256) throw new Error(`content has the SHA-256 ${found}, expected ${sha256}`)
    return parseExact(original.toString('utf8')) as JsonObject
  } catch (cause) {
    // A damaged file would count as the content when the same result is stored again.
    await rm(path, { force: true })
    throw new SluiceError(
      'RESULT_EXPIRED',
      'The kept original of this result is gone or damaged on disk. Only another call of the tool brings it back.',
      { cause },
    )
  }
}
