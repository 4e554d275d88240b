import { compressDocument } from '../blocks/compress-document.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { Strategy } from '../strategy.ts'

/** Running text: sentences that fit the goal under their titles; without a goal, the start of each part. */
export const proseStrategy: Strategy = {
  name: 'prose',
  kinds: ['prose'],
  compress(input) {
    if (input.lossless === true) return undefined
    return compressDocument(parseBlocks(input.text), input)
  },
}
