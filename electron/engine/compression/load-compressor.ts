import { compressText, type CompressText } from './compress-text.ts'
import { prepareCounting } from '../text/tokens/byte-pairs.ts'

/** Loads what the first text needs. */
export function loadCompressor(): Promise<CompressText> {
  prepareCounting()
  return Promise.resolve(compressText)
}
