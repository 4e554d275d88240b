export interface Findable {
  readonly label: string
  readonly suffix?: string
  /** Other words for it; not shown. */
  readonly words?: string
}

export interface PlaceGroup<P extends Findable> {
  readonly label: string
  readonly places: readonly P[]
}

const MOST = 12

/** All words must occur, in any order; groups by best match. Equal matches and an empty text keep the order. */
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

/** 0 (best): label prefix. 1: word prefix. 2: substring. 3: all words somewhere. */
function rankOf(
  { label, suffix = '', words: others = '' }: Findable,
  wanted: string,
  words: readonly string[],
): number {
  const name = label.toLowerCase()
  const all = `${name} ${suffix.toLowerCase()} ${others.toLowerCase()}`
  // `readtext` is read_text, too.
  const joined = name.replaceAll(/[^\p{L}\p{N}]+/gu, '')
  if (!words.every((word) => all.includes(word) || joined.includes(word))) return Infinity
  if (name.startsWith(wanted)) return 0
  const at = name.indexOf(wanted)
  if (at < 0) return 3
  return /[\p{L}\p{N}]/u.test(name[at - 1] ?? '') ? 2 : 1
}
