import { prepareStrategies } from './code/grammars.ts'
import { compressText, type CompressText } from './compress-text.ts'
import { prepareCounting } from './tokens/byte-pairs.ts'

/** The compressor with everything loaded that its strategies use synchronously; await it before the first text. */
export async function loadCompressor(): Promise<CompressText> {
  await prepareStrategies()
  prepareCounting()
  return compressText
}
