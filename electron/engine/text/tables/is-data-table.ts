import type { HtmlElement } from '../blocks/html/html-tree.ts'

/** Tables with a header are content, even full of links. */
export function isDataTable(element: HtmlElement): boolean {
  if (element.name !== 'table') return false
  let headers = 0
  let rows = 0
  const look = (part: HtmlElement) => {
    for (const child of part.children) {
      if (typeof child === 'string') continue
      if (child.name === 'th') headers++
      if (child.name === 'tr') rows++
      if (child.name !== 'td') look(child)
    }
  }
  look(element)
  return headers > 1 && rows > 2
}
