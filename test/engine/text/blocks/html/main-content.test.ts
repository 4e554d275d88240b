import { expect, it } from 'vitest'
import { htmlBlocks } from '../../../../../electron/engine/text/blocks/html/html-blocks.ts'
import { findMainContent } from '../../../../../electron/engine/text/blocks/html/main-content.ts'
import { parseHtml } from '../../../../../electron/engine/text/blocks/html/parse-html.ts'

const filler = '<p>Words of the page, with commas, that make this the main text of it, at length.</p>'.repeat(
  8,
)

it.each(['reference external', 'related', 'share'])('a link of class %s stays in its sentence', (name) => {
  const root = parseHtml(
    `<html><body><main>${filler}<p>Quote it to avoid <a class="${name}" href="x">shell injection</a> attacks.</p></main></body></html>`,
  )
  const texts = htmlBlocks(root, findMainContent(root)).map((block) => ('text' in block ? block.text : ''))
  expect(texts).toContain('Quote it to avoid shell injection attacks.')
})
