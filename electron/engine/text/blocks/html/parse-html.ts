import {
  CLOSED_BY,
  ENDS_PARAGRAPH,
  type HtmlElement,
  MAX_DEPTH,
  TABLE_PARTS,
  TABLE_SCOPE,
  UNSEEN_ELEMENTS,
  VOID_ELEMENTS,
} from './html-tree.ts'
import { type HtmlEvents, type ReadAttributes, scanHtml } from './scan-html.ts'

const MAX_SPAN = 60

/**
 * Visible parts only. Has its own stack, because htmlparser2's takes quadratic time for deep nesting; elements below
 * MAX_DEPTH are merged into their ancestor.
 */
export function parseHtml(html: string): HtmlElement {
  const builder = new TreeBuilder()
  scanHtml(html, builder)
  return builder.finish()
}

interface OpenElement {
  readonly element: HtmlElement
  readonly isSeen: boolean
}

class TreeBuilder implements HtmlEvents {
  readonly #root = createElement('root', undefined, undefined)
  readonly #stack: OpenElement[] = [{ element: this.#root, isSeen: true }]
  #overflow = 0
  #text = ''

  finish(): HtmlElement {
    this.#flush()
    return this.#root
  }

  text(text: string): void {
    this.#text += text
  }

  open(name: string, attributes: ReadAttributes): void {
    this.#flush()
    this.#closeImplied(name)
    const parent = this.#top()
    const element = createElement(name, parent.element, attributes)
    const isSeen = parent.isSeen && !UNSEEN_ELEMENTS.has(name) && !isHidden(attributes)
    if (isSeen) parent.element.children.push(element)
    if (VOID_ELEMENTS.has(name)) return
    if (this.#stack.length < MAX_DEPTH) this.#stack.push({ element, isSeen })
    else this.#overflow++
  }

  #closeImplied(name: string): void {
    if (this.#overflow > 0) return
    if (ENDS_PARAGRAPH.has(name)) this.#closeNearest(PARAGRAPH, PARAGRAPH_SCOPE)
    const rule = CLOSED_BY[name]
    // A row closes the last cell and the previous row.
    if (rule !== undefined) while (this.#closeNearest(rule.closes, rule.within));
  }

  /** Unless a `within` element is closer. */
  #closeNearest(closes: ReadonlySet<string>, within: ReadonlySet<string>): boolean {
    for (let i = this.#stack.length - 1; i > 0; i--) {
      const open = this.#stack[i]?.element.name ?? ''
      if (closes.has(open)) {
        this.#stack.length = i
        return true
      }
      if (within.has(open)) return false
    }
    return false
  }

  close(name: string): void {
    this.#flush()
    if (this.#overflow > 0) {
      this.#overflow--
      return
    }
    if (name === 'br') return
    const isTablePart = TABLE_PARTS.has(name)
    for (let i = this.#stack.length - 1; i > 0; i--) {
      const open = this.#stack[i]?.element.name ?? ''
      if (open === name) this.#stack.length = i
      if (open === name || (!isTablePart && TABLE_SCOPE.has(open))) return
    }
  }

  #flush(): void {
    if (this.#text === '') return
    const { element, isSeen } = this.#top()
    if (isSeen) element.children.push(this.#text)
    this.#text = ''
  }

  #top(): OpenElement {
    return this.#stack.at(-1) ?? { element: this.#root, isSeen: true }
  }
}

const PARAGRAPH: ReadonlySet<string> = new Set(['p'])
const PARAGRAPH_SCOPE = new Set(
  'td th table li dd dt div section article main aside blockquote body caption figure header footer'.split(
    ' ',
  ),
)

function createElement(
  name: string,
  parent: HtmlElement | undefined,
  attributes: ReadAttributes | undefined,
): HtmlElement {
  return {
    name,
    parent,
    children: [],
    label: labelOf(attributes?.class, attributes?.id),
    role: (attributes?.role ?? '').toLowerCase(),
    href: attributes?.href,
    columns: spanOf(attributes?.colspan),
    rows: spanOf(attributes?.rowspan),
    measure: { text: 0, link: 0, commas: 0, score: 0, isAround: false, isSurelyAround: false },
  }
}

const labelOf = (names = '', id = ''): string =>
  names === '' && id === '' ? '' : `${names} ${id}`.toLowerCase().trim()

function spanOf(value: string | undefined): number {
  if (value === undefined) return 1
  const span = Number.parseInt(value, 10)
  return span > 1 ? Math.min(span, MAX_SPAN) : 1
}

function isHidden({ class: names, style, hidden, ariaHidden }: ReadAttributes): boolean {
  if (hidden !== undefined || ariaHidden === 'true') return true
  if (
    names !== undefined &&
    /(?:^|\s)(?:sortkey|sr-only|visually-?hidden|screen-reader-text)(?:\s|$)/.test(names)
  )
    return true
  return style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
}
