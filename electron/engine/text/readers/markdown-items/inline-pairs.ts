/** `label: value` within a line; places are within it. */
export interface InlinePair {
  readonly label: string
  /** The label's first sign. */
  readonly start: number
  readonly valueStart: number
  readonly valueStop: number
}

const LEAST_LINES = 3
const LEAST_PAIRS = 2
const SHARE = 0.5
/** What parts pairs, and marks of bold text around the label. */
const PAIR = /(^|[,;|·•(–—-][ \t]+|\()(\*\*|__|\*|`)?(\p{L}[\p{L}\p{M}\p{N} _/.-]{0,30}?)(?:\2:|:\2)[ \t]+/gu

/** By line of `sources`: its pairs, of labels that many lines have; none where few lines have several. */
export function findInlinePairs(
  sources: readonly (string | undefined)[],
): ReadonlyMap<number, readonly InlinePair[]> {
  const found = new Map<number, RegExpExecArray[]>()
  let lines = 0
  sources.forEach((source, line) => {
    if (source === undefined) return
    lines++
    const matches = [...source.matchAll(PAIR)]
    if (matches.length >= LEAST_PAIRS) found.set(line, matches)
  })
  const pairs = new Map<number, readonly InlinePair[]>()
  if (found.size < LEAST_LINES || found.size < lines * SHARE) return pairs
  const counts = new Map<string, number>()
  for (const matches of found.values())
    for (const label of new Set(matches.map(labelOf))) counts.set(label, (counts.get(label) ?? 0) + 1)
  for (const [line, matches] of found) {
    const own = matches.filter((match) => (counts.get(labelOf(match)) ?? 0) >= found.size * SHARE)
    const source = sources[line] ?? ''
    if (own.length >= LEAST_PAIRS)
      pairs.set(
        line,
        own.map((match, i) => pairOf(source, match, own[i + 1]?.index ?? source.trimEnd().length)),
      )
  }
  return pairs.size < LEAST_LINES ? new Map() : pairs
}

const labelOf = (match: RegExpExecArray): string => match[3] ?? ''

function pairOf(source: string, match: RegExpExecArray, stop: number): InlinePair {
  const start = match.index + (match[1] ?? '').length
  const valueStart = match.index + match[0].length
  const value = source.slice(valueStart, stop).trimEnd()
  return { label: labelOf(match), start, valueStart, valueStop: valueStart + value.length }
}
