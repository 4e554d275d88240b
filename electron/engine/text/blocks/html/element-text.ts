import { BLOCK_ELEMENTS, type HtmlElement } from './html-tree.ts'

/** The text of an element and its descendants; separates blocks and cells. */
export function textOf(element: HtmlElement): string {
  const [only] = element.children
  if (element.children.length === 1 && typeof only === 'string') return only
  const parts: string[] = []
  addText(element, parts)
  return parts.join('')
}

function addText({ children }: HtmlElement, parts: string[]): void {
  for (const child of children) {
    if (typeof child === 'string') {
      parts.push(child)
      continue
    }
    if (child.name === 'br') parts.push('\n')
    const isBlock = BLOCK_ELEMENTS.has(child.name)
    if (isBlock) parts.push(' ')
    addText(child, parts)
    if (isBlock) parts.push(' ')
  }
}
