import data from '../../../../resources/words/phrases.json' with { type: 'json' }
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

interface Table {
  readonly meanings: ReadonlyMap<string, readonly string[]>
  /** Most words of a phrase. */
  readonly longest: number
}

/** Words that may come between those of a phrase: "turned it off". */
const FILLERS = new Set(
  'a an the my our your his her its their it him them this that of is are was were be been being am has have had do does did'.split(
    ' ',
  ),
)

/** Made when the first goal asks. */
let table: Table | undefined

/** English phrases whose meaning their single words don't have ("turned off": disabled); at each place the longest. */
export function phrasesIn(folded: readonly string[]): Phrase[] {
  const { meanings, longest } = (table ??= readTable())
  const places = [...folded.keys()].filter((place) => !FILLERS.has(folded[place] ?? ''))
  const stems = places.map((place) => stemOf(folded[place] ?? ''))
  const found: Phrase[] = []
  for (let at = 0; at < places.length; at++)
    for (let end = Math.min(places.length, at + longest); end > at + 1; end--) {
      const text = stems.slice(at, end).join(' ')
      const meaning = meanings.get(text)
      if (meaning === undefined) continue
      found.push({ text, first: places[at] ?? 0, end: (places[end - 1] ?? 0) + 1, meaning })
      at = end - 1
      break
    }
  return found
}

function readTable(): Table {
  const meanings = new Map<string, readonly string[]>()
  let longest = 0
  for (const [phrase, meaning] of Object.entries(data)) {
    const stems = phrase
      .split(' ')
      .filter((word) => !FILLERS.has(word))
      .map((word) => stemOf(word))
    meanings.set(stems.join(' '), meaning.split(' '))
    longest = Math.max(longest, stems.length)
  }
  return { meanings, longest }
}
