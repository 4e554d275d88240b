import { compressDocument } from '../blocks/compress-document.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { Strategy } from '../strategy.ts'

/** Text tables (CSV, TSV, aligned columns, Markdown): rows that fit the goal, under their headers. */
export const tableStrategy: Strategy = {
  name: 'table',
  kinds: ['table'],
  compress(input) {
    if (input.lossless === true) return undefined
    return compressDocument(parseBlocks(input.text), input)
  },
}
