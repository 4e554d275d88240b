import { compressDocument } from '../documents/compress-document.ts'
import { htmlBlocks } from '../documents/html/html-blocks.ts'
import { findMainContent } from '../documents/html/main-content.ts'
import { parseHtml } from '../documents/html/parse-html.ts'
import type { Strategy } from '../strategy.ts'

/** HTML as Markdown of its main content; for a goal, parts around the content count where they fit it. */
export const htmlStrategy: Strategy = {
  name: 'html',
  kinds: ['html'],
  compress(input) {
    if (input.lossless === true) return undefined
    const root = parseHtml(input.text)
    const blocks = htmlBlocks(root, findMainContent(root))
    return compressDocument(blocks, input)
  },
}
