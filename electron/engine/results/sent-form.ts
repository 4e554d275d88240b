import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import type { JsonObject } from '../protocol/json-rpc.ts'

const decompress = promisify(zstdDecompress)

/** What the model got of a shortened result, in its latest call. */
export interface SentForm {
  readonly callId: string
  /** With placeholders where masking is on. */
  readonly result: JsonObject
}

const Stored = z.object({ callId: z.string(), result: z.record(z.string(), z.unknown()) })

/** At once: of some thousand characters, a turn through Node's threads takes several times longer. */
export const packSent = (form: SentForm): Uint8Array =>
  zstdCompressSync(Buffer.from(JSON.stringify(form), 'utf8'))

/** Undefined if it isn't kept, or damaged: the original is what counts. */
export async function readSent(path: string): Promise<SentForm | undefined> {
  try {
    const { callId, result } = Stored.parse(
      JSON.parse((await decompress(await readFile(path))).toString('utf8')),
    )
    return { callId, result }
  } catch {
    return undefined
  }
}
