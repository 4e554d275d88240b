import { BLOCK_ELEMENTS, UNSEEN_ELEMENTS, VOID_ELEMENTS } from './html-tree.ts'
import { scanHtml } from './scan-html.ts'

const HEADING = /^h[1-6]$/

/** With Markdown headings and separated cells: for pages whose tree would take too much memory. */
export function plainLines(html: string): string {
  const done: string[] = []
  let parts: string[] = []
  /** Joined at once: millions of pieces take more memory than their letters. */
  const push = (part: string): void => {
    if (parts.length >= MOST_PARTS && part.startsWith('\n')) {
      done.push(cleaned(parts))
      parts = []
    }
    parts.push(part)
  }
  /** Open unseen element and its nesting. */
  let unseen = ''
  let depth = 0
  const begin = (name: string) => {
    if (unseen !== '') {
      if (name === unseen) depth++
    } else if (UNSEEN_ELEMENTS.has(name) && !VOID_ELEMENTS.has(name)) {
      unseen = name
      depth = 1
    } else if (HEADING.test(name)) push(`\n\n${'#'.repeat(Number(name.slice(1)))} `)
    else if (name === 'td' || name === 'th') push(' | ')
    else if (name === 'p' || name === 'table') push('\n\n')
    else if (name === 'br' || BLOCK_ELEMENTS.has(name)) push('\n')
  }
  const end = (closed: string) => {
    if (unseen !== '') {
      if (closed === unseen && --depth === 0) unseen = ''
    } else if (HEADING.test(closed) || closed === 'table') push('\n\n')
  }
  scanHtml(html, {
    text: (text) => {
      if (unseen === '') push(text.replaceAll('\n', ' '))
    },
    open: begin,
    close: end,
  })
  done.push(cleaned(parts))
  return done.join('')
}

const MOST_PARTS = 20_000

const cleaned = (parts: readonly string[]): string =>
  parts
    .join('')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/^ \| /gm, '')
