import { judgeElement, type LabelVerdict } from './element-labels.ts'
import { BLOCK_ELEMENTS, HEADINGS, type HtmlElement } from './html-tree.ts'
import { isDataTable } from '../../tables/is-data-table.ts'

/** One piece of text each. */
export const PARAGRAPHS: ReadonlySet<string> = new Set('p pre blockquote td dd li'.split(' '))
const MIN_PARAGRAPH = 25
/**
 * Parts named like navigation count as such only below this share of the page: some pages name everything "sidebar".
 */
const MAX_AROUND_SHARE = 0.4
const MAX_SURELY_AROUND_SHARE = 0.75
/** Characters of a data table that count like a short paragraph: pages of tables have none. */
const TABLE_TEXT = 150

export function measurePage(root: HtmlElement): void {
  const inOrder: HtmlElement[] = []
  const collect = (element: HtmlElement) => {
    inOrder.push(element)
    for (const child of element.children) if (typeof child !== 'string') collect(child)
  }
  collect(root)
  const verdicts = new Map<string, LabelVerdict>()
  for (const element of inOrder) {
    const { isAround, isSurelyAround } = judgeElement(element, verdicts)
    element.measure.isAround = isAround
    element.measure.isSurelyAround = isSurelyAround
  }
  // Reversed: children are complete before their parents.
  inOrder.reverse()
  for (const element of inOrder) addUp(element)
  for (const element of inOrder) addScores(element, true)
  const page = root.measure
  for (const { measure } of inOrder) {
    const limit = measure.isSurelyAround ? MAX_SURELY_AROUND_SHARE : MAX_AROUND_SHARE
    if (measure.text > limit * page.text || measure.score > limit * page.score) measure.isAround = false
  }
  for (const element of inOrder) addScores(element, false)
}

function addUp(element: HtmlElement): void {
  const own = element.measure
  for (const child of element.children) {
    if (typeof child === 'string') {
      own.text += visibleLength(child)
      own.commas += countCommas(child)
    } else {
      own.text += child.measure.text
      own.link += child.measure.link
      own.commas += child.measure.commas
    }
  }
  // Links inside the page are text: headings often consist of one.
  if (element.name === 'a' && element.href !== undefined && !element.href.startsWith('#')) own.link = own.text
}

function addScores(element: HtmlElement, countsAround: boolean): void {
  const own = element.measure
  let parts = 0
  let hasBlocks = false
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (BLOCK_ELEMENTS.has(child.name)) hasBlocks = true
    if (countsAround || !child.measure.isAround) parts += child.measure.score
  }
  const isParagraph =
    PARAGRAPHS.has(element.name) ||
    (BLOCK_ELEMENTS.has(element.name) && !hasBlocks && !HEADINGS.has(element.name))
  const isLong = own.text >= MIN_PARAGRAPH
  own.score =
    isParagraph && isLong
      ? Math.max(parts, (1 + own.commas + Math.min(3, own.text / 100)) * (1 - own.link / own.text))
      : parts
  if (isDataTable(element)) own.score = Math.max(parts, own.text / TABLE_TEXT)
}

/** Ignores the source layout's blanks. */
function visibleLength(text: string): number {
  let length = 0
  let wasBlank = true
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isBlank = code === 32 || code === 10 || code === 9 || code === 13 || code === 160
    if (!isBlank || !wasBlank) length++
    wasBlank = isBlank
  }
  return wasBlank && length > 0 ? length - 1 : length
}

function countCommas(text: string): number {
  let commas = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 44 || code === 0xff0c || code === 0x3001 || code === 0x060c) commas++
  }
  return commas
}
