import { compressDocument } from '../blocks/compress-document.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { Strategy } from '../strategy.ts'

/** Tables in text (CSV, TSV, aligned columns, Markdown): the rows that fit the goal, each under its header. */
export const tableStrategy: Strategy = {
  name: 'table',
  kinds: ['table'],
  compress(input) {
    if (input.lossless === true) return undefined
    return compressDocument(parseBlocks(input.text), input)
  },
}
