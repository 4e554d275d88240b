import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { parseExact, stringifyExact } from '../protocol/exact-json.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { isNear } from '../work/near.ts'

export type Packing = 'json' | 'zstd'

/** As stored. */
export interface Packed {
  readonly packing: Packing
  readonly bytes: Uint8Array
}

export interface PackOptions {
  /** JSON, its SHA-256, and zstd; large values in a worker. */
  readonly pack: (value: JsonObject) => Promise<{ readonly sha256: string; readonly bytes: Uint8Array }>
  readonly parse: (bytes: Uint8Array) => Promise<unknown>
}

/** Below, packing takes longer than it saves. */
const PLAIN_CHARACTERS = 16_000

const decompress = promisify(zstdDecompress)

/** `sha256`: hex, of the JSON. */
export async function packBody(
  value: JsonObject,
  { pack }: PackOptions,
): Promise<Packed & { readonly sha256: string }> {
  if (isSurelyLarge(value)) return { packing: 'zstd', ...(await pack(value)) }
  const bytes = Buffer.from(stringifyExact(value), 'utf8')
  if (bytes.length > PLAIN_CHARACTERS) return { packing: 'zstd', ...(await pack(value)) }
  return { packing: 'json', bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Throws if the bytes differ from what was packed. */
export async function unpackBody({ packing, bytes }: Packed, { parse }: PackOptions): Promise<JsonObject> {
  const plain = packing === 'zstd' ? await decompress(bytes) : bytes
  if (!isNear('parse', plain.length)) return (await parse(new Uint8Array(plain))) as JsonObject
  return parseExact(
    Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('utf8'),
  ) as JsonObject
}

/** By a large text, without serialising. */
function isSurelyLarge(value: JsonObject): boolean {
  const blocks: unknown = value['content']
  if (!Array.isArray(blocks)) return false
  return (blocks as unknown[]).some((block) =>
    typeof block === 'object' && block !== null
      ? Object.values(block).some((field) => typeof field === 'string' && field.length > PLAIN_CHARACTERS)
      : false,
  )
}
