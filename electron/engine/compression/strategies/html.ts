import { compressDocument } from '../blocks/compress-document.ts'
import { htmlBlocks } from '../../text/blocks/html/html-blocks.ts'
import { findMainContent } from '../../text/blocks/html/main-content.ts'
import { parseHtml } from '../../text/blocks/html/parse-html.ts'
import { plainLines } from '../../text/blocks/html/plain-lines.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { Strategy } from '../strategy.ts'

/** Characters from which on a page is read line by line: its tree would take hundreds of megabytes. */
const LARGE_PAGE = 5_000_000

/** HTML as Markdown of its main content; for a goal, parts around the content count where they fit it. */
export const htmlStrategy: Strategy = {
  name: 'html',
  kinds: ['html'],
  compress(input) {
    if (input.lossless === true) return undefined
    if (input.text.length > LARGE_PAGE) return compressDocument(parseBlocks(plainLines(input.text)), input)
    const root = parseHtml(input.text)
    const blocks = htmlBlocks(root, findMainContent(root))
    return compressDocument(blocks, input)
  },
}
