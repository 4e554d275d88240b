import type { HtmlElement, Measure } from './html-tree.ts'
import { isDataTable } from '../../tables/is-data-table.ts'
import { measurePage, PARAGRAPHS } from './measure-page.ts'

export interface MainContent {
  readonly main: HtmlElement
  /** Unrelated parts inside the main element: share bars, link lists, boxes. */
  readonly asides: ReadonlySet<HtmlElement>
  /** Introductory parts before the main element: a teaser, a subtitle. */
  readonly leads: ReadonlySet<HtmlElement>
}

/** An element with a larger share of the main text or score isn't an aside, whatever its links. */
const MAX_ASIDE_TEXT = 0.4
/** Descends to the child with this share of the score. */
const DESCEND_SHARE = 0.8
const ARTICLE_SHARE = 0.4
/** Less isn't content, regardless of score. */
const MIN_MAIN_TEXT = 250
const MIN_MAIN_SHARE = 0.25

/**
 * Finds a page's content by paragraph scores (length, commas, few links) summed up the tree, after Mozilla's
 * Readability; then the unrelated parts inside it.
 */
export function findMainContent(root: HtmlElement): MainContent {
  measurePage(root)
  let main = root
  for (;;) {
    const best = bestChild(main)
    if (best === undefined || best.measure.score < DESCEND_SHARE * main.measure.score || isWhole(best)) break
    main = best
  }
  main = dominantArticle(main) ?? main
  const { text, score } = main.measure
  if (text < MIN_MAIN_TEXT || score < MIN_MAIN_SHARE * root.measure.score) main = root
  return { main, asides: findAsides(main), leads: findLeads(main) }
}

/** Elements inside a paragraph or data table aren't considered. */
const isWhole = (element: HtmlElement) => PARAGRAPHS.has(element.name) || isDataTable(element)

function bestChild(element: HtmlElement): HtmlElement | undefined {
  let best: HtmlElement | undefined
  for (const child of element.children) {
    if (typeof child === 'string' || child.measure.isAround) continue
    if (child.measure.score > (best === undefined ? 0 : best.measure.score)) best = child
  }
  return best
}

/** The article (or main) element with most of the content below `within`. */
function dominantArticle(within: HtmlElement): HtmlElement | undefined {
  const found: { element: HtmlElement; score: number }[] = []
  const look = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string' || child.measure.isAround) continue
      const isArticle =
        child.name === 'article' || child.role === 'article' || child.name === 'main' || child.role === 'main'
      const { score } = child.measure
      if (isArticle && score > 0) found.push({ element: child, score })
      if (!isArticle || child.name === 'main' || child.role === 'main') look(child)
    }
  }
  look(within)
  found.sort((a, b) => b.score - a.score)
  const [best, second] = found
  if (best === undefined || best.score < ARTICLE_SHARE * within.measure.score) return undefined
  return second === undefined || best.score > 2 * second.score || contains(second.element, best.element)
    ? best.element
    : undefined
}

const LEAD_LEVELS = 4
const MIN_LEAD = 60
const MAX_LEAD = 1500
const MAX_LEAD_LINKS = 0.2

/** Up to the enclosing article. */
function findLeads(main: HtmlElement): Set<HtmlElement> {
  const leads = new Set<HtmlElement>()
  let inner = main
  for (let level = 0; level < LEAD_LEVELS; level++) {
    const outer = inner.parent
    if (outer === undefined || inner.name === 'article' || inner.name === 'main' || inner.name === 'body')
      break
    for (const sibling of outer.children) {
      if (sibling === inner) break
      if (typeof sibling === 'string') continue
      const { text, link, score, isAround } = sibling.measure
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
/** A higher score means sentences besides links. */
const LINK_GROUP_SCORE = 5

function findAsides(main: HtmlElement): Set<HtmlElement> {
  const asides = new Set<HtmlElement>()
  const look = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (isAside(child, main.measure) && !isInSentence(child, element)) asides.add(child)
      else look(child)
    }
  }
  look(main)
  return asides
}

/** A link or term between words of a text, whatever its class. */
const isInSentence = ({ name }: HtmlElement, { children }: HtmlElement): boolean =>
  PHRASES.has(name) && children.some((child) => typeof child === 'string' && /\p{L}/u.test(child))
const PHRASES = new Set('a abbr b cite code dfn em i kbd mark q samp strong var'.split(' '))

function isAside(element: HtmlElement, main: Measure): boolean {
  const { text, link, score, isAround } = element.measure
  if (isAround) return true
  if (text === 0) return false
  const density = link / text
  if (element.name === 'p') return density > 0.9 && text < 120
  const isMost = text > MAX_ASIDE_TEXT * main.text || score > MIN_MAIN_SHARE * main.score
  if (!GROUPS.has(element.name) || isMost) return false
  return density > MAX_LINK_DENSITY && score < LINK_GROUP_SCORE && !isDataTable(element)
}
