import { replaceSpans } from './mask-texts.ts'
import { mergeFound } from './merge-found.ts'
import { nameOf } from './placeholders.ts'
import type { Search } from './search.ts'
import type { Vault } from './vault.ts'

/** The log itself cuts longer texts. */
const LONGEST = 20_000

/**
 * Any vault's values and what looks like them, because a server may print a value before sending it. Fully withheld
 * until the search is loaded.
 */
export function cleanLogText(text: string, vaults: Iterable<Vault>, search: Search | undefined): string {
  if (!search) return '[withheld: masking is still being loaded]'
  const shown = text.slice(0, LONGEST)
  let spans = search.findPersonalData(shown)
  for (const vault of vaults) spans = mergeFound(spans, vault.all.find(shown))
  return replaceSpans(shown, spans, ({ type }) => `[${nameOf(type)}]`)
}
