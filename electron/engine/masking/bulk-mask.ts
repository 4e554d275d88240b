import type { Readable, Writable } from 'node:stream'
import type { CustomPattern, PersonalDataType } from '../../../shared/masking-policy.ts'
import { answerJsonLines } from '../ground/json-lines.ts'
import { findInTexts } from './find-in-texts.ts'
import { placeholderIn, replaceSpans } from './mask-texts.ts'
import type { Span } from './personal-data.ts'
import { countFromOne, Vault } from './vault.ts'

export interface BulkMaskOptions {
  readonly types: readonly PersonalDataType[]
  readonly customPatterns?: Readonly<Record<string, CustomPattern>>
  /** Any origin, e.g. performance.now. */
  readonly now: () => number
}

export interface MaskedText {
  readonly text: string
  readonly spans: readonly Span[]
}

/** Placeholders count from 1. */
export function maskText(
  text: string,
  { types, customPatterns = {} }: Omit<BulkMaskOptions, 'now'>,
): MaskedText {
  const [spans = []] = findInTexts({ texts: [{ text }], types, customPatterns, names: [], known: [] })
  if (spans.length === 0) return { text, spans }
  const vault = new Vault(countFromOne())
  return { text: replaceSpans(text, spans, (span) => placeholderIn(vault, span)), spans }
}

/**
 * JSON lines {id, text} → {id, text, spans, ms}, or {id, error} for an invalid line. Each text has its own
 * placeholders.
 */
export async function maskBulk(input: Readable, output: Writable, options: BulkMaskOptions): Promise<void> {
  await answerJsonLines(input, output, ({ text }) => {
    if (typeof text !== 'string') throw new Error('"text" must be a string: the text to mask.')
    const start = options.now()
    const masked = maskText(text, options)
    return { ...masked, ms: options.now() - start }
  })
}
