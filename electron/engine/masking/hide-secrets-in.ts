import { findInTexts } from './find-in-texts.ts'
import { placeholderIn, replaceSpans } from './mask-texts.ts'
import { countFromOne, Vault } from './vault.ts'

/** Replaces keys, tokens and passwords; equal values get the same placeholder in each text. `known`: values that no pattern finds. */
export function hideSecretsIn(texts: readonly string[], known: readonly string[]): readonly string[] {
  const vault = new Vault(countFromOne())
  const found = findInTexts({
    texts: texts.map((text) => ({ text })),
    types: ['api_key'],
    customPatterns: {},
    names: [],
    known: known.map((value) => ({ type: 'api_key', value })),
  })
  return texts.map((text, index) =>
    replaceSpans(text, found[index] ?? [], (span) => placeholderIn(vault, span)),
  )
}
