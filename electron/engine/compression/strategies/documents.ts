import { compressDocument } from '../blocks/compress-document.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { ContentKind } from '../../text/kinds/content-kinds.ts'
import type { Strategy } from '../strategy.ts'

/** Sentences and rows that fit the goal under their titles; without a goal, the start of each part. */
const forText = (name: string, kind: ContentKind): Strategy => ({
  name,
  kinds: [kind],
  compress: (input) => compressDocument(parseBlocks(input.text), input),
})

export const markdownStrategy = forText('markdown', 'markdown')
export const proseStrategy = forText('prose', 'prose')
