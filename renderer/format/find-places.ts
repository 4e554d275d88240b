/** Something the palette leads to: a label, and what tells it from others of the same label. */
export interface Findable {
  readonly label: string
  readonly suffix?: string
}

export interface PlaceGroup<P extends Findable> {
  readonly label: string
  readonly places: readonly P[]
}

/** More of one group would push the others out of sight. */
const MOST = 12

/**
 * Of each group the places that have all words of the text, the best match first; the group with the best match comes first.
 * Equal matches, and all of them when the text is empty, keep their order.
 */
export function findPlaces<P extends Findable>(
  groups: readonly PlaceGroup<P>[],
  text: string,
): PlaceGroup<P>[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  return groups
    .map(({ label, places }) => {
      const found = places
        .map((place) => ({ place, rank: rankOf(place, wanted, words) }))
        .filter(({ rank }) => rank < Infinity)
        .sort((a, b) => a.rank - b.rank)
      return {
        group: { label, places: found.slice(0, MOST).map(({ place }) => place) },
        best: found[0]?.rank ?? Infinity,
      }
    })
    .filter(({ best }) => best < Infinity)
    .sort((a, b) => a.best - b.best)
    .map(({ group }) => group)
}

/** 0, the best: the label begins with the text. 1: a word of it does. 2: it stands within. 3: the words do, somewhere. */
function rankOf({ label, suffix = '' }: Findable, wanted: string, words: readonly string[]): number {
  const name = label.toLowerCase()
  const all = `${name} ${suffix.toLowerCase()}`
  if (!words.every((word) => all.includes(word))) return Infinity
  if (name.startsWith(wanted)) return 0
  const at = name.indexOf(wanted)
  if (at < 0) return 3
  return /[\p{L}\p{N}]/u.test(name[at - 1] ?? '') ? 2 : 1
}
