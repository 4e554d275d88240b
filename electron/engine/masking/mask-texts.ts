import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import { asWords } from './as-words.ts'
import { numberKey } from './finders/number-keys.ts'
import type { FindInTextsInput } from './find-in-texts.ts'
import type { Span } from './personal-data.ts'
import { writtenPlaceholders } from './placeholders.ts'
import { DEEPEST_RESTORED, leavesOf, type LabelledText } from './text-leaves.ts'
import type { Vault } from './vault.ts'

/** Here or in a worker thread. */
export type FindInTexts = (input: FindInTextsInput) => Promise<readonly (readonly Span[])[]>

export async function maskTexts(
  texts: readonly LabelledText[],
  vault: Vault,
  policy: MaskingPolicy,
  find: FindInTexts,
): Promise<string[]> {
  const { types, customPatterns } = policy
  const found = await find({ texts, types, customPatterns, names: vault.customNames, known: vault.known })
  if (found.length !== texts.length) throw new Error('The search for personal data gave no complete answer.')
  return texts.map(({ text }, index) =>
    replaceSpans(text, found[index] ?? [], (span) => placeholderIn(vault, span)),
  )
}

/** As it is written in the span's place. */
export const placeholderIn = (vault: Vault, { type, value, quotes }: Span): string =>
  quotes === undefined
    ? vault.placeholderFor(type, value)
    : `${quotes}${vault.placeholderFor(type, value, true)}${quotes}`

/** Unknown placeholders stay. */
export function restoreText(text: string, vault: Vault, label?: string): string {
  const spans = placeholdersIn(text, vault)
  if (spans.length === 0) return text
  const isOfNumber = spans.some(({ placeholder }) => vault.isOfNumber(placeholder))
  // Values without escapes need no context.
  const isPlain = spans.every(({ value }) => JSON.stringify(value).length === value.length + 2)
  if (isPlain && !isOfNumber) return replaceSpans(text, spans, ({ value }) => value)
  const leaves = leavesOf({ text, label }, { deepest: DEEPEST_RESTORED })
  if (isPlain) {
    const numbers = new Map(
      leaves.flatMap((leaf) =>
        isNumberAgain(leaf, vault) && leaf.token ? [[leaf.toSource(0), leaf.token]] : [],
      ),
    )
    return replaceSpans(
      text,
      spans.map((span) => ({ ...span, ...numbers.get(span.start) })),
      ({ value }) => value,
    )
  }
  const quotedSpans = leaves.flatMap((leaf) =>
    placeholdersIn(leaf.text, vault).map((span) => ({
      ...span,
      start: leaf.toSource(span.start),
      end: leaf.toSource(span.end),
      value: quote(span.value, leaf.quoted),
      ...(isNumberAgain(leaf, vault) && leaf.token),
    })),
  )
  return replaceSpans(text, quotedSpans, ({ value }) => value)
}

/** Whether a text is what was written for a number, under a key for one. */
export const isNumberAgain = ({ text, label }: LabelledText, vault: Vault): boolean =>
  vault.isOfNumber(text) && label !== undefined && numberKey(asWords(label)) !== undefined

const placeholdersIn = (text: string, vault: Vault): (Span & { readonly placeholder: string })[] =>
  writtenPlaceholders(text).flatMap(({ placeholder, start, end, isEncoded }) => {
    const value = vault.valueOf(placeholder)
    return value === undefined
      ? []
      : [{ type: '', start, end, value: isEncoded ? encoded(value) : value, placeholder }]
  })

/** One that came from an address is encoded already. */
const encoded = (value: string): string =>
  /%[0-9a-f]{2}/i.test(value) ? value : encodeURIComponent(value.toWellFormed())

/** For nested JSON strings. */
const quote = (value: string, layers: number): string =>
  layers === 0 ? value : quote(JSON.stringify(value).slice(1, -1), layers - 1)

export function replaceSpans<S extends Span>(
  text: string,
  spans: readonly S[],
  replacement: (span: S) => string,
): string {
  let replaced = ''
  let end = 0
  for (const span of spans) {
    replaced += text.slice(end, span.start) + replacement(span)
    end = span.end
  }
  return spans.length === 0 ? text : replaced + text.slice(end)
}
