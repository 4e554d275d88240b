import type { HtmlElement } from './html-tree.ts'

/** Words of class and id for parts around the content. */
const AROUND = new Set(
  `nav navbar navigation navbox menu menus submenu sidebar side rail footer foot header masthead topbar toolbar banner
cookie cookies consent gdpr advert adverts advertisement advertising ad ads adsense adbox dfp sponsor sponsored promo promotion
share sharing sharer social socials addthis sharedaddy follow followus breadcrumb breadcrumbs crumbs
editsection noprint metadata ambox hatnote comment comments commentlist respond disqus reply replies related recommended
recommendations recommendation popular trending newsletter subscribe subscription signup login register pagination pager paging
pagenav tags taglist tagcloud widget widgets popup modal overlay skip hidden sr visuallyhidden screen outbrain taboola
toc catlinks reflist references reference footnotes copyright disclaimer legal rating vote votes utility jump byline author authorbox
bio avatar readmore more mostread latest archive archives search searchform form print printonly sitemap
prevnext previous next adjacent meta postmeta entrymeta infobar infoline dateline credits backlink backlinks trackback pingback
caption captions imagecaption likes shariff donate donation spenden werbung anzeige verwandt kommentar kommentare teilen artikelempfehlung`
    .trim()
    .split(/\s+/),
)

/** Unmistakable inside words ("darkfooter", "articlecomments"). */
const AROUND_PART = /footer|sidebar|breadcrumb|newsletter|cookie|comment|advert|pagination|related|rating/

export interface LabelVerdict {
  readonly isAround: boolean
  /** By HTML itself or beyond doubt: trusted for large parts. */
  readonly isSurelyAround: boolean
}

const AROUND_ROLES = new Set(
  'navigation banner complementary contentinfo search dialog menu menubar alert alertdialog tablist toolbar form'.split(
    ' ',
  ),
)
const AROUND_ELEMENTS = new Set('nav footer aside menu dialog form search address figcaption'.split(' '))
/** The page's frame, or content under any name. */
const NEVER_AROUND = new Set('root html body main article blockquote pre'.split(' '))

/** Judges an element's part in the page by name, role and label. */
export function judgeElement(element: HtmlElement, cache: Map<string, LabelVerdict>): LabelVerdict {
  const label = judgeLabel(element.label, cache)
  if (NEVER_AROUND.has(element.name) || element.role === 'main' || element.role === 'article')
    return { isAround: false, isSurelyAround: false }
  const isSurelyAround =
    AROUND_ELEMENTS.has(element.name) || AROUND_ROLES.has(element.role) || label.isSurelyAround
  return { isAround: isSurelyAround || label.isAround, isSurelyAround }
}

/** Longer names are a heading's words. */
const MAX_PARTS = 4

function judgeLabel(label: string, cache: Map<string, LabelVerdict>): LabelVerdict {
  const known = cache.get(label)
  if (known !== undefined) return known
  const words = label
    .split(/\s+/)
    .map((name) => name.split(/[^a-z]+/))
    .filter((parts) => parts.length <= MAX_PARTS)
    .flat()
  const isAround = words.some((word) => AROUND.has(word) || AROUND_PART.test(word))
  const verdict = { isAround, isSurelyAround: words.some((word) => word.startsWith('comment')) }
  cache.set(label, verdict)
  return verdict
}
