import { cleanText } from '../control-characters.ts'
import { joinPieces } from '../join-pieces.ts'
import { readText } from '../read-text.ts'

/** A form in which a text may be read. */
export interface View {
  readonly text: string
  readonly isDisguised: boolean
  /** Short lines, cells and items as one sentence: see join-pieces.ts. */
  readonly isJoined?: boolean
}

/** Fewest look-alike letters for which a text is also read in plain letters: one can hide a key word. */
export const DISGUISED = 1

/** As it came, without what hides letters, in plain letters, each message that was encoded in it, and short pieces joined. */
export function viewsOf(text: string): View[] {
  const shown = cleanText(text, 'strip')
  const views: View[] = shown === text ? [] : [{ text, isDisguised: false }]
  const { folded, payloads } = readText(shown)
  const joined = joinPieces(shown)
  return [
    ...views,
    { text: shown, isDisguised: shown !== text },
    ...(folded && folded.disguised >= DISGUISED ? [{ text: folded.text, isDisguised: true }] : []),
    ...payloads.map((payload) => ({ text: payload.text, isDisguised: true })),
    ...(joined ? [{ text: joined.text, isDisguised: false, isJoined: true }] : []),
  ]
}
