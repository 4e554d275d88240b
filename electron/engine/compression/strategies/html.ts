import { compressDocument } from '../blocks/compress-document.ts'
import { htmlBlocks } from '../../text/blocks/html/html-blocks.ts'
import { findMainContent } from '../../text/blocks/html/main-content.ts'
import { parseHtml } from '../../text/blocks/html/parse-html.ts'
import { plainLines } from '../../text/blocks/html/plain-lines.ts'
import { parseBlocks } from '../../text/blocks/parse-blocks.ts'
import type { Strategy } from '../strategy.ts'

/** Larger pages are read by line: their tree would take hundreds of megabytes. */
const LARGE_PAGE = 5_000_000

/** HTML as Markdown of its main content; with a goal, also surrounding parts that fit it. */
export const htmlStrategy: Strategy = {
  name: 'html',
  kinds: ['html'],
  compress(input) {
    if (input.text.length > LARGE_PAGE) return compressDocument(parseBlocks(plainLines(input.text)), input)
    const root = parseHtml(input.text)
    const blocks = htmlBlocks(root, findMainContent(root))
    return compressDocument(blocks, input)
  },
}
