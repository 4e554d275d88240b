import { judgeElement, type LabelVerdict } from './element-labels.ts'
import { BLOCK_ELEMENTS, HEADINGS, type HtmlElement } from './html-tree.ts'

export interface MainContent {
  readonly main: HtmlElement
  /** Parts inside the main element that do not belong to it: share bars, link lists, boxes. */
  readonly asides: ReadonlySet<HtmlElement>
  /** Parts before the main element that open it: a teaser, a subtitle. */
  readonly leads: ReadonlySet<HtmlElement>
}

interface Measure {
  /** Characters a reader sees, and those of them inside links. */
  text: number
  link: number
  commas: number
  /** How much the element holds that looks like paragraphs. */
  score: number
  isAround: boolean
  isSurelyAround: boolean
}

const PARAGRAPHS = new Set('p pre blockquote td dd li'.split(' '))
const MIN_PARAGRAPH = 25
/** Parts named like navigation count as such only below this share of the page: some pages call everything "sidebar". */
const MAX_AROUND_SHARE = 0.4
const MAX_SURELY_AROUND_SHARE = 0.75
/** Down to the child that holds this share of the score. */
const DESCEND_SHARE = 0.8
const ARTICLE_SHARE = 0.4
/** Less than this is not the page's content, whatever it scores. */
const MIN_MAIN_TEXT = 250
const MIN_MAIN_SHARE = 0.25

/**
 * Finds the part of a page that is its content, by paragraph scores (length, commas, few links) added up the tree, after
 * the idea of Mozilla's Readability; then what inside it is not.
 */
export function findMainContent(root: HtmlElement): MainContent {
  const measures = measure(root)
  const of = (element: HtmlElement): Measure => measures.get(element) ?? NOTHING
  const page = of(root)
  let main = root
  for (;;) {
    const best = bestChild(main, of)
    if (best === undefined || of(best).score < DESCEND_SHARE * of(main).score || isWhole(best)) break
    main = best
  }
  main = dominantArticle(main, measures) ?? main
  if (of(main).text < MIN_MAIN_TEXT || of(main).score < MIN_MAIN_SHARE * page.score) main = root
  return { main, asides: findAsides(main, of), leads: findLeads(main, of) }
}

/** A paragraph or a table of data is content; what is inside it is not looked at as a place of its own. */
const isWhole = (element: HtmlElement) => PARAGRAPHS.has(element.name) || isDataTable(element)

const NOTHING: Measure = {
  text: 0,
  link: 0,
  commas: 0,
  score: 0,
  isAround: false,
  isSurelyAround: false,
}

function measure(root: HtmlElement): Map<HtmlElement, Measure> {
  const inOrder: HtmlElement[] = []
  const collect = (element: HtmlElement) => {
    inOrder.push(element)
    for (const child of element.children) if (typeof child !== 'string') collect(child)
  }
  collect(root)
  const verdicts = new Map<string, LabelVerdict>()
  const measures = new Map<HtmlElement, Measure>()
  for (const element of inOrder) measures.set(element, { ...NOTHING, ...judgeElement(element, verdicts) })
  // Children stand after their parents: backwards, every child is complete before its parent.
  for (const element of inOrder.toReversed()) addUp(element, measures)
  for (const element of inOrder.toReversed()) addScores(element, measures, true)
  const page = measures.get(root) ?? NOTHING
  for (const part of measures.values()) {
    const limit = part.isSurelyAround ? MAX_SURELY_AROUND_SHARE : MAX_AROUND_SHARE
    if (part.text > limit * page.text || part.score > limit * page.score) part.isAround = false
  }
  for (const element of inOrder.toReversed()) addScores(element, measures, false)
  return measures
}

function addUp(element: HtmlElement, measures: Map<HtmlElement, Measure>): void {
  const own = measures.get(element)
  if (own === undefined) return
  for (const child of element.children) {
    if (typeof child === 'string') {
      own.text += visibleLength(child)
      own.commas += countCommas(child)
    } else {
      const part = measures.get(child) ?? NOTHING
      own.text += part.text
      own.link += part.link
      own.commas += part.commas
    }
  }
  // Links inside the page are part of its text: headings often carry one to themselves.
  if (element.name === 'a' && element.href !== undefined && !element.href.startsWith('#')) own.link = own.text
}

function addScores(element: HtmlElement, measures: Map<HtmlElement, Measure>, countsAround: boolean): void {
  const own = measures.get(element)
  if (own === undefined) return
  let parts = 0
  let hasBlocks = false
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (BLOCK_ELEMENTS.has(child.name)) hasBlocks = true
    const part = measures.get(child) ?? NOTHING
    if (countsAround || !part.isAround) parts += part.score
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

/** So many characters in a table of data count like a short paragraph: pages of tables have no others. */
const TABLE_TEXT = 150

/** Length without the blanks of the source's layout. */
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

function bestChild(element: HtmlElement, of: (element: HtmlElement) => Measure): HtmlElement | undefined {
  let best: HtmlElement | undefined
  for (const child of element.children) {
    if (typeof child === 'string' || of(child).isAround) continue
    if (of(child).score > (best === undefined ? 0 : of(best).score)) best = child
  }
  return best
}

/** The one article (or main) element that holds most of what is below `within`. */
function dominantArticle(within: HtmlElement, measures: Map<HtmlElement, Measure>): HtmlElement | undefined {
  const found: { element: HtmlElement; score: number }[] = []
  const look = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string' || measures.get(child)?.isAround === true) continue
      const isArticle =
        child.name === 'article' || child.role === 'article' || child.name === 'main' || child.role === 'main'
      const score = measures.get(child)?.score ?? 0
      if (isArticle && score > 0) found.push({ element: child, score })
      if (!isArticle || child.name === 'main' || child.role === 'main') look(child)
    }
  }
  look(within)
  found.sort((a, b) => b.score - a.score)
  const [best, second] = found
  if (best === undefined || best.score < ARTICLE_SHARE * (measures.get(within)?.score ?? 0)) return undefined
  return second === undefined || best.score > 2 * second.score || contains(second.element, best.element)
    ? best.element
    : undefined
}

const LEAD_LEVELS = 4
const MIN_LEAD = 60
const MAX_LEAD = 1500
const MAX_LEAD_LINKS = 0.2

/** Paragraphs that stand before the main element, up to the article it is part of. */
function findLeads(main: HtmlElement, of: (element: HtmlElement) => Measure): Set<HtmlElement> {
  const leads = new Set<HtmlElement>()
  let inner = main
  for (let level = 0; level < LEAD_LEVELS; level++) {
    const outer = inner.parent
    if (outer === undefined || inner.name === 'article' || inner.name === 'main' || inner.name === 'body')
      break
    for (const sibling of outer.children) {
      if (sibling === inner) break
      if (typeof sibling === 'string') continue
      const { text, link, score, isAround } = of(sibling)
      if (!isAround && score > 1 && text >= MIN_LEAD && text <= MAX_LEAD && link < MAX_LEAD_LINKS * text)
        leads.add(sibling)
    }
    inner = outer
  }
  return leads
}

function contains(outer: HtmlElement, inner: HtmlElement): boolean {
  for (let at: HtmlElement | undefined = inner; at !== undefined; at = at.parent)
    if (at === outer) return true
  return false
}

const GROUPS = new Set('div section ul ol dl header table figure'.split(' '))
const MAX_LINK_DENSITY = 0.5
/** A group of links that scores more than this holds sentences too. */
const LINK_GROUP_SCORE = 5

function findAsides(main: HtmlElement, of: (element: HtmlElement) => Measure): Set<HtmlElement> {
  const asides = new Set<HtmlElement>()
  const look = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (isAside(child, of, of(main))) asides.add(child)
      else look(child)
    }
  }
  look(main)
  return asides
}

function isAside(element: HtmlElement, of: (element: HtmlElement) => Measure, main: Measure): boolean {
  const { text, link, score, isAround } = of(element)
  if (isAround) return true
  if (text === 0) return false
  const density = link / text
  if (element.name === 'p') return density > 0.9 && text < 120
  const isMost = text > MAX_AROUND_SHARE * main.text || score > MIN_MAIN_SHARE * main.score
  if (!GROUPS.has(element.name) || isMost) return false
  return density > MAX_LINK_DENSITY && score < LINK_GROUP_SCORE && !isDataTable(element)
}

/** Rows of cells, with a header: full of links or not, that is content. */
function isDataTable(element: HtmlElement): boolean {
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
