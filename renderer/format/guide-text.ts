/** Of a line: what it is, and where a link leads. */
export interface GuideSpan {
  readonly kind: 'text' | 'strong' | 'code' | 'link'
  readonly text: string
  /** Of a link: a page of the guide, or none in the app. */
  readonly page?: string | undefined
}

type GuideBlock =
  | { readonly kind: 'heading'; readonly spans: readonly GuideSpan[] }
  | { readonly kind: 'text'; readonly spans: readonly GuideSpan[] }
  | { readonly kind: 'steps'; readonly steps: readonly (readonly GuideSpan[])[] }
  | { readonly kind: 'code'; readonly text: string }
  /** `file`: its name. */
  | { readonly kind: 'picture'; readonly file: string; readonly about: string }

/** Of the Markdown that docs/guide is written in: nothing else of it is read. */
export function guideBlocks(markdown: string): GuideBlock[] {
  const blocks: GuideBlock[] = []
  for (const part of markdown.split(/\n{2,}/)) {
    const text = part.trim()
    const [, about, path] = /^!\[(.*)\]\((.*)\)$/.exec(text) ?? []
    if (text === '') continue
    if (text.startsWith('```')) blocks.push({ kind: 'code', text: text.split('\n').slice(1, -1).join('\n') })
    else if (path !== undefined)
      blocks.push({ kind: 'picture', file: path.split('/').at(-1) ?? '', about: about ?? '' })
    else if (text.startsWith('1. '))
      blocks.push({
        kind: 'steps',
        steps: text.split(/\n(?=\d+\. )/).map((step) => spansOf(step.replace(/^\d+\. /, ''))),
      })
    else if (text.startsWith('# ')) blocks.push({ kind: 'heading', spans: spansOf(text.slice(2)) })
    else blocks.push({ kind: 'text', spans: spansOf(text) })
  }
  return blocks
}

const MARKS = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)/g

function spansOf(text: string): GuideSpan[] {
  const spans: GuideSpan[] = []
  let end = 0
  for (const match of text.matchAll(MARKS)) {
    const [all, strong, soft, code, label, target] = match
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) })
    if (code !== undefined) spans.push({ kind: 'code', text: code })
    else if (label !== undefined)
      spans.push({ kind: 'link', text: label, page: /^([\w-]+)\.md$/.exec(target ?? '')?.[1] })
    else spans.push({ kind: 'strong', text: strong ?? soft ?? '' })
    end = match.index + all.length
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) })
  return spans
}

/** The page about a screen; others have the list of pages. */
const ABOUT: Readonly<Record<string, string>> = {
  '/': 'prove-the-saving',
  '/start': 'wrap-an-app',
  '/clients': 'wrap-an-app',
  '/results': 'read-a-result',
  '/activity': 'read-a-result',
  '/approvals': 'approve-a-change',
  '/servers': 'approve-a-change',
  '/tools': 'hide-tools',
  '/replay': 'prove-the-saving',
}

export const guideFor = (path: string): string => ABOUT[`/${path.split('/')[1] ?? ''}`] ?? ''
