import type { Block } from '../block.ts'
import { readHtmlTable } from './html-table.ts'
import { BLOCK_ELEMENTS, HEADINGS, type HtmlElement } from './html-tree.ts'
import type { MainContent } from './main-content.ts'

/** Turns a page into blocks, in order; what is outside the main content is marked, not dropped. */
export function htmlBlocks(root: HtmlElement, { main, asides, leads }: MainContent): Block[] {
  const blocks: Block[] = []
  let inline = ''
  let isAside = root !== main
  const push = (block: Block) => {
    blocks.push(isAside ? { ...block, isAside } : block)
  }
  const flush = () => {
    const text = collapse(inline)
    inline = ''
    if (text !== '' && text !== '-') push({ type: 'paragraph', text })
  }

  const walk = (element: HtmlElement) => {
    const wasAside = isAside
    const becomesAside = asides.has(element)
    const changes = wasAside ? element === main || leads.has(element) : becomesAside
    if (changes) {
      flush()
      isAside = becomesAside
    }
    visit(element)
    if (changes) {
      flush()
      isAside = wasAside
    }
  }
  const visit = (element: HtmlElement) => {
    const { name } = element
    if (name === 'br') inline += '\n'
    else if (name === 'hr') {
      flush()
      push({ type: 'break' })
    } else if (HEADINGS.has(name)) {
      flush()
      const text = collapse(textOf(element)).replaceAll('\n', ' ')
      const level = Number(name.slice(1))
      if (text !== '') push({ type: 'heading', level, text: `${'#'.repeat(level)} ${text}` })
    } else if (name === 'pre') {
      flush()
      const text = textOf(element).replace(/^\n+|\s+$/g, '')
      if (text !== '') push({ type: 'paragraph', text, byLine: true })
    } else if (name === 'table') {
      flush()
      const table = readHtmlTable(element, (cell) => collapse(textOf(cell)).replaceAll('\n', ' '))
      if (table === undefined) for (const child of element.children) walkChild(child)
      else push(table)
      flush()
    } else if (BLOCK_ELEMENTS.has(name)) {
      flush()
      if (name === 'li') inline = '- '
      for (const child of element.children) walkChild(child)
      flush()
    } else for (const child of element.children) walkChild(child)
  }
  const walkChild = (child: HtmlElement | string) => {
    if (typeof child === 'string') inline += child.replaceAll('\n', ' ')
    else walk(child)
  }
  walk(root)
  flush()
  return blocks
}

/** The text of an element with everything in it; blocks and cells stay apart. */
export function textOf(element: HtmlElement): string {
  const [only] = element.children
  if (element.children.length === 1 && typeof only === 'string') return only
  const parts: string[] = []
  const look = (part: HtmlElement) => {
    if (part.name === 'br') parts.push('\n')
    const isBlock = BLOCK_ELEMENTS.has(part.name)
    if (isBlock) parts.push(' ')
    for (const child of part.children) {
      if (typeof child === 'string') parts.push(child)
      else look(child)
    }
    if (isBlock) parts.push(' ')
  }
  for (const child of element.children) {
    if (typeof child === 'string') parts.push(child)
    else look(child)
  }
  return parts.join('')
}

/** Blanks as a browser shows them; line breaks that were asked for stay. */
function collapse(text: string): string {
  if (!/[\t\r\f\n\u00a0]| {2}/.test(text)) return text.trim()
  return text
    .replace(/[ \t\r\f\u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
