export interface WhatToRead {
  readonly grep?: string
  readonly lines?: readonly [from: number, to: number]
  readonly tail?: number
  readonly page?: number
}

/** Characters of a page: apps cut longer outputs themselves. */
const PAGE = 20_000

interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** One page of what was asked for, with a last line in brackets where there is more. */
export function textToRead(text: string, what: WhatToRead): string {
  const all = text.split('\n').map((line, index): Line => ({ number: index + 1, text: line }))
  if (all.at(-1)?.text === '') all.pop()
  const chosen = choose(all, what)
  if (chosen.length === 0)
    return `[No line of ${all.length} fits. ${isPattern(what) ? '--grep finds an exact text, not a pattern. ' : ''}${HOW_TO}]\n`
  const isPicked = what.grep !== undefined
  const pages = toPages(chosen.map((line) => (isPicked ? `${line.number}:${line.text}` : line.text)))
  const { page = 1 } = what
  const shown = pages[page - 1]
  if (shown === undefined) return `[There are ${pages.length} pages. ${HOW_TO}]\n`
  const more =
    page < pages.length
      ? `\n[Page ${page} of ${pages.length}, ${chosen.length} of ${all.length} lines. The next: add --page ${page + 1}]\n`
      : ''
  return shown.endsWith('\n') || more !== '' ? shown + more : `${shown}\n`
}

function choose(all: readonly Line[], { grep, lines, tail }: WhatToRead): readonly Line[] {
  const inRange = lines === undefined ? all : all.slice(lines[0] - 1, lines[1])
  const wanted = grep?.toLowerCase()
  const found =
    wanted === undefined ? inRange : inRange.filter(({ text }) => text.toLowerCase().includes(wanted))
  return tail === undefined ? found : found.slice(-tail)
}

/** The command itself may have another name here. */
const HOW_TO = 'Without options it prints the beginning; --grep, --lines and --tail choose.'

const isPattern = ({ grep = '' }: WhatToRead): boolean => /[|\\^$]|\.[*+]/.test(grep)

/** Of whole lines; a line longer than a page is divided. */
function toPages(lines: readonly string[]): string[] {
  const pages: string[] = []
  let page = ''
  for (const line of lines) {
    const next = page === '' ? line : `${page}\n${line}`
    if (next.length <= PAGE) {
      page = next
      continue
    }
    if (page !== '') pages.push(page)
    let rest = line
    for (; rest.length > PAGE; rest = rest.slice(PAGE)) pages.push(rest.slice(0, PAGE))
    page = rest
  }
  return page === '' ? pages : [...pages, page]
}
