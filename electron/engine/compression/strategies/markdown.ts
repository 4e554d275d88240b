import { compressDocument } from '../blocks/compress-document.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { Strategy } from '../strategy.ts'

/** Headings with passages and table rows that fit the goal. */
export const markdownStrategy: Strategy = {
  name: 'markdown',
  kinds: ['markdown'],
  compress(input) {
    if (input.lossless === true) return undefined
    return compressDocument(parseBlocks(input.text), input)
  },
}
