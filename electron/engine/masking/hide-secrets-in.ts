import { findInTexts } from './find-in-texts.ts'
import { placeholderIn, replaceSpans } from './mask-texts.ts'
import { countFromOne, Vault } from './vault.ts'

/** Keys, tokens and passwords as placeholders, the same one in each text. `known`: values that no pattern tells. */
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
