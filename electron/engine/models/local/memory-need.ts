import type { GgufHeader } from '../gguf/read-gguf-header.ts'

type Sizes = Pick<GgufHeader, 'fileBytes' | 'bytesPerToken' | 'vocabulary' | 'contextTokens'>

const BASE_BYTES = 150_000_000
/**
 * Weights are file pages, which the system can reclaim, or a copy in the processor's fastest layout. With AMX the
 * copy is 12 % larger than a Q8_0 file.
 */
const WEIGHTS_FACTOR = 1.12
/** Reading a batch of 256 tokens takes 4 bytes per vocabulary entry and token. */
const BYTES_PER_WORD = 4 * 256
/** In tokens. */
const SMALLEST_CONTEXT = 1024

/** On the processor, in bytes. Its resident size may be larger by the file, while memory is free. */
export const memoryNeed = ({ fileBytes, bytesPerToken, vocabulary }: Sizes, contextTokens: number): number =>
  Math.ceil(
    BASE_BYTES + fileBytes * WEIGHTS_FACTOR + bytesPerToken * contextTokens + vocabulary * BYTES_PER_WORD,
  )

export type Fit =
  | { readonly fits: true; readonly contextTokens: number; readonly bytes: number }
  | { readonly fits: false; readonly bytes: number }

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
