import { findPersonalData } from './find-personal-data.ts'
import { replaceSpans } from './mask-texts.ts'
import { mergeFound } from './merge-found.ts'
import { nameOf } from './placeholders.ts'
import type { Vault } from './vault.ts'

/** Longer texts are cut by the log itself. */
const LONGEST = 20_000

/**
 * A text as it may stand in a log: without anything that a vault hides, and without what looks like it, because a
 * server may print a value before it sends it.
 */
export function cleanLogText(text: string, vaults: Iterable<Vault>): string {
  const shown = text.slice(0, LONGEST)
  let spans = findPersonalData(shown)
  for (const vault of vaults) spans = mergeFound(spans, vault.all.find(shown))
  return replaceSpans(shown, spans, ({ type }) => `[${nameOf(type)}]`)
}
