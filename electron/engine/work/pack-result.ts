import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress, zstdCompressSync } from 'node:zlib'
import { jobSize } from './job-size.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { stringifyInPieces } from '../protocol/stringify-in-pieces.ts'

export interface PackedResult {
  /** Hex, of the uncompressed bytes. */
  readonly sha256: string
  /** Uncompressed. */
  readonly size: number
  readonly bytes: Uint8Array
  readonly readable?: Uint8Array | undefined
}

/** Like `packResult`, for a small one: at once, because each turn of a stream takes longer than its work. */
export function packSmallResult(result: JsonObject): PackedResult {
  const bytes = Buffer.from([...stringifyInPieces(result)].join(''), 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { sha256, size: bytes.length, bytes: zstdCompressSync(bytes) }
}

/** In a stream, each megabyte waits for other threads: twice the time. In characters, bytes and values (job-size.ts). */
const AT_ONCE = 16_000_000

/**
 * As JSON: lone surrogates survive as escapes; unknown fields and non-text content stay. Very large ones as a stream,
 * because they would be in memory twice.
 */
export async function packResult(result: JsonObject): Promise<PackedResult> {
  if (jobSize(result, AT_ONCE) < AT_ONCE) return packSmallResult(result)
  const hash = createHash('sha256')
  let size = 0
  const packing = createZstdCompress()
  const packed = buffer(packing)
  for (const piece of stringifyInPieces(result)) {
    const bytes = Buffer.from(piece, 'utf8')
    hash.update(bytes)
    size += bytes.length
    if (!packing.write(bytes)) await once(packing, 'drain')
  }
  packing.end()
  return { sha256: hash.digest('hex'), size, bytes: await packed }
}
