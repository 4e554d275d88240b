import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createZstdCompress, zstdDecompress } from 'node:zlib'
import { SluiceError } from '../ground/errors.ts'
import { asItCame, parseExact } from '../protocol/exact-json.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { stringifyInPieces } from '../protocol/stringify-in-pieces.ts'
import { resultParts } from './result-parts.ts'

const decompress = promisify(zstdDecompress)

/** A result as it goes to disk. */
export interface PackedResult {
  /** Hex, of the uncompressed bytes. */
  readonly sha256: string
  /** Uncompressed bytes. */
  readonly size: number
  /** zstd. */
  readonly bytes: Uint8Array
  /** All its text as UTF-8, where it is to be read from a file. */
  readonly readable?: Uint8Array | undefined
}

/** Where a kept original lies, for a worker to read it. */
export interface ResultSource {
  readonly path: string
  readonly sha256: string
  /** Uncompressed bytes. */
  readonly size: number
}

/** The whole result as JSON: lone surrogates survive as escapes, unknown fields and non-text content stay in place. */
export async function packResult(result: JsonObject): Promise<PackedResult> {
  const hash = createHash('sha256')
  let size = 0
  const packing = createZstdCompress()
  const packed = buffer(packing)
  for (const piece of stringifyInPieces(asItCame(result))) {
    const bytes = Buffer.from(piece, 'utf8')
    hash.update(bytes)
    size += bytes.length
    if (!packing.write(bytes)) await once(packing, 'drain')
  }
  packing.end()
  return { sha256: hash.digest('hex'), size, bytes: await packed }
}

/** The same, and its text as a file shows it: what `sluice results show` prints. */
export async function packReadable(result: JsonObject): Promise<PackedResult> {
  const texts = resultParts(result).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { ...(await packResult(result)), readable: Buffer.from(texts.join('\n'), 'utf8') }
}

/** Reads a packed result back and checks that it is what was put in. Throws RESULT_EXPIRED when it is gone or damaged. */
export async function unpackResult({ path, sha256 }: Omit<ResultSource, 'size'>): Promise<JsonObject> {
  try {
    const original = await decompress(await readFile(path))
    const found = createHash('sha256').update(original).digest('hex')
    if (found !== sha256) throw new Error(`content has the SHA-256 ${found}, expected ${sha256}`)
    return parseExact(original.toString('utf8')) as JsonObject
  } catch (cause) {
    // A damaged file must not be taken for the content when the same result is kept again.
    await rm(path, { force: true })
    throw new SluiceError(
      'RESULT_EXPIRED',
      'The kept original of this result is gone or damaged on disk. Call the tool again: its answer names a new id.',
      { cause },
    )
  }
}
