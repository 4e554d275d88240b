import type { GgufHeader } from '../gguf/read-gguf-header.ts'

type Sizes = Pick<GgufHeader, 'fileBytes' | 'bytesPerToken' | 'vocabulary' | 'contextTokens'>

/** Node, the library and its smaller buffers. */
const BASE_BYTES = 150_000_000
/**
 * The weights are pages of the file, which the system can take back, or a copy in the layout that the processor computes
 * fastest with. On the tested one, with AMX, the copy is 12 % larger than a file in Q8_0.
 */
const WEIGHTS_FACTOR = 1.12
/** Reading a batch of 256 tokens holds 4 bytes for each word of the vocabulary and each token. */
const BYTES_PER_WORD = 4 * 256
/** A window below this is not worth loading a model for. */
const SMALLEST_CONTEXT = 1024

/**
 * Bytes that a loaded model takes for itself with a context of so many tokens, on the processor. Its resident size may be
 * larger by the whole file, as long as nobody else needs that memory.
 */
export const memoryNeed = ({ fileBytes, bytesPerToken, vocabulary }: Sizes, contextTokens: number): number =>
  Math.ceil(
    BASE_BYTES + fileBytes * WEIGHTS_FACTOR + bytesPerToken * contextTokens + vocabulary * BYTES_PER_WORD,
  )

export type Fit =
  | { readonly fits: true; readonly contextTokens: number; readonly bytes: number }
  | { readonly fits: false; readonly bytes: number }

/** The largest context up to `wanted` that the model was trained for and that fits into memory. */
export function fitContext(sizes: Sizes, wanted: number, freeBytes: number): Fit {
  const most = Math.min(wanted, sizes.contextTokens)
  const least = Math.min(SMALLEST_CONTEXT, most)
  const bytes = memoryNeed(sizes, least)
  if (bytes > freeBytes) return { fits: false, bytes }
  const byMemory = Math.floor((freeBytes - memoryNeed(sizes, 0)) / Math.max(1, sizes.bytesPerToken))
  // llama.cpp rounds to multiples of 256 anyway.
  const contextTokens = Math.max(least, Math.min(most, Math.floor(byMemory / 256) * 256))
  return { fits: true, contextTokens, bytes: memoryNeed(sizes, contextTokens) }
}
