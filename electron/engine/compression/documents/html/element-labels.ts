import type { HtmlElement } from './html-tree.ts'

/** What authors call the parts around a page's content, as words of class and id. */
const AROUND = new Set(
  `nav navbar navigation navbox menu menus submenu sidebar side rail footer foot header masthead topbar toolbar banner
cookie cookies consent gdpr advert adverts advertisement advertising ad ads adsense adbox dfp sponsor sponsored promo promotion
share sharing sharer social socials addthis sharedaddy follow followus twitter facebook breadcrumb breadcrumbs crumbs
editsection noprint metadata ambox hatnote comment comments commentlist respond disqus reply replies related recommended
recommendations recommendation popular trending newsletter subscribe subscription signup login register pagination pager paging
pagenav tags taglist tagcloud widget widgets popup modal overlay skip hidden sr visuallyhidden screen outbrain taboola
toc catlinks reflist references reference footnotes copyright disclaimer legal rating vote votes utility jump byline author authorbox
bio avatar teaser teasers readmore more mostread latest archive archives search searchform form print printonly sitemap
prevnext previous next adjacent meta postmeta entrymeta infobar infoline dateline credits backlink backlinks trackback pingback
shariff donate donation spenden werbung anzeige verwandt kommentar kommentare teilen artikelempfehlung`
    .trim()
    .split(/\s+/),
)

/** What they call the content itself. */
const CONTENT = new Set(
  `article articles articlebody articletext body content contents entry entrycontent hentry main maincontent page post posts
postcontent postbody text story storybody blog blogpost prose copy lead richtext wikitext parser output detail`
    .trim()
    .split(/\s+/),
)

export interface LabelVerdict {
  readonly isAround: boolean
  readonly isContent: boolean
}

const AROUND_ROLES = new Set(
  'navigation banner complementary contentinfo search dialog menu menubar alert alertdialog tablist toolbar form'.split(
    ' ',
  ),
)
const AROUND_ELEMENTS = new Set('nav footer aside menu dialog form search'.split(' '))
const NEVER_AROUND = new Set('root html body main article'.split(' '))

/** What name, role and label of an element say about its part in the page. */
export function judgeElement(element: HtmlElement, cache: Map<string, LabelVerdict>): LabelVerdict {
  const label = judgeLabel(element.label, cache)
  if (NEVER_AROUND.has(element.name) || element.role === 'main' || element.role === 'article')
    return { isAround: false, isContent: true }
  const isAround = AROUND_ELEMENTS.has(element.name) || AROUND_ROLES.has(element.role) || label.isAround
  return { isAround, isContent: label.isContent }
}

function judgeLabel(label: string, cache: Map<string, LabelVerdict>): LabelVerdict {
  const known = cache.get(label)
  if (known !== undefined) return known
  const words = label.split(/[^a-z]+/)
  const isContent = words.some((word) => CONTENT.has(word))
  const isAround = words.some((word) => AROUND.has(word))
  const verdict = { isAround, isContent }
  cache.set(label, verdict)
  return verdict
}
