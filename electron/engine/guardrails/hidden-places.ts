import { hidingSequenceLength } from './hiding-sequences.ts'
import { INVISIBLE, invisibleWidth, isLawful, isScopeCharacter } from './invisible-characters.ts'
import { lineFacts, type LineFacts } from './line-facts.ts'
import { CONTROL, INVISIBLE_PAIR, INVISIBLE_UNIT, traitsOf } from './text-traits.ts'

export type HidingMeans = 'terminal' | 'tags' | 'direction' | 'invisible'

export interface HiddenPlace {
  readonly start: number
  readonly end: number
  readonly means: HidingMeans
}

/** Consecutive invisible characters that can carry a message; fewer come from editors and web pages. */
export const LONG_RUN = 8
/** Consecutive variation selectors that encode bytes. */
export const SELECTORS_OF_DATA = 4

// oxlint-disable-next-line no-control-regex -- looking for control characters is the purpose
const CANDIDATE = new RegExp(`[\\x1b\\x80-\\x9f]|${INVISIBLE.source}`, 'g')

/**
 * In order: terminal sequences that erase, overwrite, conceal or act; Unicode tag letters; reordering scopes; long
 * invisible runs. Excludes harmless ones such as colours, form feeds, byte order marks, single invisible characters
 * and right-to-left marks. Linear time.
 */
export function hiddenPlaces(text: string): HiddenPlace[] {
  if ((traitsOf(text) & (CONTROL | INVISIBLE_UNIT | INVISIBLE_PAIR)) === 0) return []
  const places: HiddenPlace[] = []
  const lines = lineFacts(text)
  const next = new RegExp(CANDIDATE)
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const start = found.index
    const isControl = text.charCodeAt(start) <= 0x9f
    next.lastIndex = (isControl ? sequenceAt : invisibleAt)(text, start, lines, places)
  }
  return places
}

/** Both return the next index. */
function sequenceAt(text: string, start: number, lines: LineFacts, places: HiddenPlace[]): number {
  const length = hidingSequenceLength(text, start, { movedBack: () => lines.movedBack(start) })
  if (length === 0) return start + 1
  places.push({ start, end: start + length, means: 'terminal' })
  return start + length
}

function invisibleAt(text: string, start: number, lines: LineFacts, places: HiddenPlace[]): number {
  let end = start
  let first = start
  let last = start
  let unlawful = 0
  let tags = 0
  let selectors = 0
  const scopes: HiddenPlace[] = []
  for (let width = invisibleWidth(text, end); width > 0; width = invisibleWidth(text, end)) {
    const code = text.codePointAt(end) ?? 0
    if (isScopeCharacter(code)) {
      if (lines.scopeReorders(end)) scopes.push({ start: end, end: end + width, means: 'direction' })
    } else if (!isLawful(text, end, () => lines.hasRtl(end))) {
      if (unlawful++ === 0) first = end
      last = end + width
      if (code >= 0xe0000 && code <= 0xe007f) tags++
      if (isSelector(code)) selectors++
    }
    end += width
  }
  const means = tags > 0 ? 'tags' : 'invisible'
  if (tags > 0 || unlawful >= LONG_RUN || selectors >= SELECTORS_OF_DATA)
    places.push({ start: first, end: last, means })
  else places.push(...scopes)
  return end
}

const isSelector = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
