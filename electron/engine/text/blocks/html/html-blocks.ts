import type { Block } from '../block.ts'
import { readHtmlTable } from '../../tables/html-table.ts'
import { textOf } from './element-text.ts'
import { BLOCK_ELEMENTS, HEADINGS, type HtmlElement } from './html-tree.ts'
import type { MainContent } from './main-content.ts'

/** Marks blocks outside the main content. */
export function htmlBlocks(root: HtmlElement, content: MainContent): Block[] {
  const writer = new BlockWriter(content, root !== content.main)
  writer.walk(root)
  writer.flush()
  return writer.blocks
}

/** A class: as closures per page, the methods were deoptimised twice as often. */
class BlockWriter {
  readonly blocks: Block[] = []
  readonly #content: MainContent
  #inline = ''
  #isAside: boolean

  constructor(content: MainContent, isAside: boolean) {
    this.#content = content
    this.#isAside = isAside
  }

  walk(element: HtmlElement): void {
    const { main, asides, leads } = this.#content
    const wasAside = this.#isAside
    const becomesAside = asides.has(element)
    const changes = wasAside ? element === main || leads.has(element) : becomesAside
    if (!changes) {
      this.#visit(element)
      return
    }
    this.flush()
    this.#isAside = becomesAside
    this.#visit(element)
    this.flush()
    this.#isAside = wasAside
  }

  flush(): void {
    const text = collapse(this.#inline)
    this.#inline = ''
    if (text !== '' && text !== '-') this.#push({ type: 'paragraph', text })
  }

  #push(block: Block): void {
    this.blocks.push(this.#isAside ? { ...block, isAside: true } : block)
  }

  #visit(element: HtmlElement): void {
    const { name } = element
    if (name === 'br') this.#inline += '\n'
    else if (name === 'hr') {
      this.flush()
      this.#push({ type: 'break' })
    } else if (HEADINGS.has(name)) {
      this.flush()
      const text = collapse(textOf(element)).replaceAll('\n', ' ')
      const level = Number(name.slice(1))
      if (text !== '') this.#push({ type: 'heading', level, text: `${'#'.repeat(level)} ${text}` })
    } else if (name === 'pre') {
      this.flush()
      const text = textOf(element).replace(/^\n+|\s+$/g, '')
      if (text !== '') this.#push({ type: 'paragraph', text, byLine: true })
    } else if (name === 'table') {
      this.flush()
      const table = readHtmlTable(element, (cell) => collapse(textOf(cell)).replaceAll('\n', ' '))
      if (table === undefined) this.#walkChildren(element)
      else this.#push(table)
      this.flush()
    } else if (BLOCK_ELEMENTS.has(name)) {
      this.flush()
      if (name === 'li') this.#inline = '- '
      this.#walkChildren(element)
      this.flush()
    } else this.#walkChildren(element)
  }

  #walkChildren({ children }: HtmlElement): void {
    for (const child of children) {
      if (typeof child === 'string') this.#inline += child.replaceAll('\n', ' ')
      else this.walk(child)
    }
  }
}

/** Collapses blanks like a browser; explicit line breaks stay. */
function collapse(text: string): string {
  if (!/[\t\r\f\n\u00a0]| {2}/.test(text)) return text.trim()
  return text
    .replace(/[ \t\r\f\u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
