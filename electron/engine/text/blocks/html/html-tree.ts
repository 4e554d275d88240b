export interface HtmlElement {
  readonly name: string
  readonly parent: HtmlElement | undefined
  readonly children: (HtmlElement | string)[]
  /** Class and id in lower case. */
  readonly label: string
  readonly role: string
  readonly href: string | undefined
  readonly columns: number
  readonly rows: number
  /** Set by measurePage. */
  readonly measure: Measure
}

export interface Measure {
  /** Visible characters, and those inside links. */
  text: number
  link: number
  commas: number
  /** Similarity to paragraphs. */
  score: number
  isAround: boolean
  isSurelyAround: boolean
}

/** Makes recursion safe. */
export const MAX_DEPTH = 200

const list = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

export const BLOCK_ELEMENTS = list(`
  address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td
  tfoot th thead tr ul caption option root`)

export const HEADINGS = list('h1 h2 h3 h4 h5 h6')

/** Content isn't page text. */
export const UNSEEN_ELEMENTS = list(`
  script style noscript template iframe object embed svg canvas video audio map select textarea button input
  title datalist progress meter`)

export const VOID_ELEMENTS = list('area base br col embed hr img input link meta param source track wbr')

export const ENDS_PARAGRAPH = list(`
  address article aside blockquote center details div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
  header hr main menu nav ol p pre section table ul li`)

/** What an opening tag closes, and the ancestors that end the search. */
export const CLOSED_BY: Readonly<
  Record<string, { closes: ReadonlySet<string>; within: ReadonlySet<string> }>
> = {
  li: { closes: list('li'), within: list('ul ol menu table td th') },
  dt: { closes: list('dt dd'), within: list('dl table td th') },
  dd: { closes: list('dt dd'), within: list('dl table td th') },
  tr: { closes: list('tr td th caption colgroup'), within: list('table') },
  td: { closes: list('td th caption'), within: list('tr table') },
  th: { closes: list('td th caption'), within: list('tr table') },
  thead: { closes: list('tr td th thead tbody tfoot caption colgroup'), within: list('table') },
  tbody: { closes: list('tr td th thead tbody tfoot caption colgroup'), within: list('table') },
  tfoot: { closes: list('tr td th thead tbody tfoot caption colgroup'), within: list('table') },
  option: { closes: list('option'), within: list('select datalist') },
}

/** Only closing tags of table parts search beyond these. */
export const TABLE_SCOPE = list('td th table caption')
export const TABLE_PARTS = list('table thead tbody tfoot tr td th caption')
