import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** One question about one text; `kind`: its group. */
export interface OwnCase {
  readonly kind: string
  readonly document: string
  readonly text: string
  readonly goal?: string | undefined
  readonly mode: 'any' | 'fraction'
  readonly answers: readonly string[]
  readonly evidence?: readonly string[] | undefined
}

const folder = new URL('../fixtures/compress-cases/', import.meta.url)

/** test/fixtures/compress-cases, each with its text. */
export function readOwnCases(): OwnCase[] {
  const texts = new Map(
    linesOf(gunzipSync(readFileSync(new URL('documents.jsonl.gz', folder))).toString('utf8')).map((line) => {
      const { name, text } = JSON.parse(line) as { name: string; text: string }
      return [name, text] as const
    }),
  )
  return linesOf(readFileSync(new URL('cases.jsonl', folder), 'utf8')).map((line) => {
    const written = JSON.parse(line) as Omit<OwnCase, 'text'>
    const text = texts.get(written.document)
    if (text === undefined) throw new Error(`documents.jsonl.gz has no "${written.document}".`)
    return { ...written, text }
  })
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** 0 to 1: share of a case's facts in a text; 0 without its evidence. */
export function keptOf({ mode, answers, evidence }: OwnCase, text: string): number {
  const folded = fold(text)
  const hits = answers.filter((answer) => holds(folded, fold(answer))).length
  if (evidence !== undefined && !evidence.some((name) => holds(folded, fold(name)))) return 0
  return mode === 'any' ? Math.min(1, hits) : hits / answers.length
}

/** As the shared scorer compares: without case, breaks and JSON's quotes, never inside a longer word. */
const fold = (text: string): string =>
  text.replaceAll('\\"', '"').replaceAll("\\'", "'").replaceAll('\\/', '/').replace(/\s+/g, ' ').toLowerCase()

function holds(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const opens = isWordPart(text[at - 1]) && isWordPart(part[0])
    const closes = isWordPart(text[at + part.length]) && isWordPart(part.at(-1))
    if (!opens && !closes) return true
  }
  return false
}

/** Chinese and Japanese have no blanks between words: neighbours don't matter. */
const isWordPart = (character: string | undefined): boolean =>
  character !== undefined &&
  /[\p{L}\p{N}]/u.test(character) &&
  !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character)
