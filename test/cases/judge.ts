import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import type { Case } from './read-cases.ts'

export interface Verdict {
  /** The share of the answers that stand in the output, 0 or 1 for `any`. */
  readonly kept: number
  /** `kept` where the evidence and the budget hold too. */
  readonly strict: number
  readonly over: boolean
  /** Whether the output of a document that is JSON is JSON; undefined for other documents. */
  readonly valid: boolean | undefined
}

/** As strict as the scorer of the shared case bank. */
export function judge(one: Case, output: string, budget: number): Verdict {
  const text = plain(output)
  const hits = one.answers.map((answer) => stands(answer, text))
  const kept =
    one.mode === 'fraction' ? hits.filter(Boolean).length / (hits.length || 1) : Number(hits.some(Boolean))
  const named = one.evidence.length === 0 || one.evidence.some((evidence) => stands(evidence, text))
  const over = countTokens(output) > budget
  return {
    kept,
    strict: over || !named ? 0 : kept,
    over,
    valid: one.kind === 'json' && isJson(one.document) ? isJson(output) : undefined,
  }
}

/** What of a case does not stand in its own document. */
export function missingIn(one: Case): string[] {
  const text = plain(one.document)
  return [...one.answers, ...one.evidence].filter((wanted) => !stands(wanted, text))
}

export const isKept = (wanted: string, output: string): boolean => stands(wanted, plain(output))

export const withoutHeader = (output: string): string => output.replace(/^\[Compressed:[^\n]*\n+/, '')

function isJson(output: string): boolean {
  try {
    JSON.parse(withoutHeader(output))
    return true
  } catch {
    return false
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  '#160': ' ',
  ndash: '–',
  mdash: '—',
}

const plain = (text: string) =>
  text
    .replace(/\\(["'/])/g, '$1')
    .replace(/&(amp|lt|gt|quot|#39|nbsp|#160|ndash|mdash);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .trim()

const isLetter = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char)

/** As a whole word. */
function stands(wanted: string, text: string): boolean {
  const words = plain(wanted)
  if (words === '') return false
  for (let i = text.indexOf(words); i >= 0; i = text.indexOf(words, i + 1)) {
    const isCut =
      (isLetter(text[i - 1]) && isLetter(words[0])) ||
      (isLetter(text[i + words.length]) && isLetter(words.at(-1)))
    if (!isCut) return true
  }
  return false
}
