import { cleanText } from '../control-characters.ts'
import { joinPieces } from '../join-pieces.ts'
import { readText } from '../read-text.ts'

/** `disguised`: its letters were exchanged or encoded. `joined`: short lines, cells and items as one sentence. */
export type Form = 'plain' | 'disguised' | 'joined'

/** A form in which a text may be read. */
export interface View {
  readonly text: string
  readonly form: Form
}

/** Letters exchanged from which a text is read in plain letters, too: one hides the word that tells most. */
export const DISGUISED = 1

/** As it came, without what hides letters, in plain letters, each message that was encoded in it, and its short pieces joined. */
export function viewsOf(text: string): View[] {
  const shown = cleanText(text, 'strip')
  const views: View[] = shown === text ? [] : [{ text, form: 'plain' }]
  const { folded, payloads } = readText(shown)
  const joined = joinPieces(shown)
  return [
    ...views,
    { text: shown, form: shown === text ? 'plain' : 'disguised' },
    ...(folded && folded.disguised >= DISGUISED ? [{ text: folded.text, form: 'disguised' as const }] : []),
    ...payloads.map((payload) => ({ text: payload.text, form: 'disguised' as const })),
    ...(joined ? [{ text: joined.text, form: 'joined' as const }] : []),
  ]
}
