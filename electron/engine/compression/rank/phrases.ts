import data from '../../../../resources/words/phrases.json' with { type: 'json' }
import { asList, findByStem } from '../../text/words/find-by-stem.ts'
import { stemOf } from '../../text/words/stem.ts'

export interface Phrase {
  /** Stems of its words, without fillers. */
  readonly text: string
  /** Places in the list that was read, end exclusive. */
  readonly first: number
  readonly end: number
  /** Words that results use for it. */
  readonly meaning: readonly string[]
}

/** Words that may come between those of a phrase: "turned it off". */
const FILLERS = new Set(
  'a an the my our your his her its their it him them this that of is are was were be been being am has have had do does did'.split(
    ' ',
  ),
)

/** Lines "turn off: disable disabled". */
const list = asList(data)

/** English phrases whose meaning their single words don't have ("turned off": disabled); at each place the longest. */
export function phrasesIn(folded: readonly string[]): Phrase[] {
  const places = [...folded.keys()].filter((place) => !FILLERS.has(folded[place] ?? ''))
  const stems = places.map((place) => stemOf(folded[place] ?? ''))
  const found: Phrase[] = []
  for (let at = 0; at < places.length;) {
    const longest = longestAt(stems, at)
    const end = at + (longest?.length ?? 1)
    if (longest !== undefined)
      found.push({
        text: stems.slice(at, end).join(' '),
        first: places[at] ?? 0,
        end: (places[end - 1] ?? 0) + 1,
        meaning: longest.meaning,
      })
    at = end
  }
  return found
}

/** `length` is that of the phrase in stems. */
function longestAt(
  stems: readonly string[],
  at: number,
): { readonly length: number; readonly meaning: readonly string[] } | undefined {
  let longest: { length: number; meaning: readonly string[] } | undefined
  for (const { line } of findByStem(list, stems[at] ?? '', 'first')) {
    const [phrase = '', meaning = ''] = line.split(': ')
    const words = phrase.split(' ').filter((word) => !FILLERS.has(word))
    if (words.length <= (longest?.length ?? 0)) continue
    if (words.every((word, place) => stems[at + place] === stemOf(word)))
      longest = { length: words.length, meaning: meaning.split(' ') }
  }
  return longest
}
