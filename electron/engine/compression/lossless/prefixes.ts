export interface CountedText {
  readonly text: string
  readonly uses: number
}

const SHORTEST = 6
const LONGEST = 200
/** Tokens of `+12` in a text, and of quotes and comma of a definition. */
const REFERENCE = 2
const DEFINITION = 4
const ROUNDS = 3

/** E.g. URLs, ids, dates; shortest first. They end before a separator, so that the rest stays readable and never begins with a digit. */
export function findPrefixes(counted: readonly CountedText[], tokensOf: (text: string) => number): string[] {
  const sorted = [...counted].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  const candidates = new Set<string>()
  for (let i = 1; i < sorted.length; i++) {
    const text = sorted[i]?.text ?? ''
    const shared = Math.min(LONGEST, sharedLength(sorted[i - 1]?.text ?? '', text))
    for (let cut = cutBefore(text, shared); cut >= SHORTEST; cut = cutBefore(text, cut - 1))
      candidates.add(text.slice(0, cut))
  }
  let chosen = [...candidates]
  for (let round = 0; round < ROUNDS; round++) chosen = keepPaying(sorted, chosen, tokensOf)
  return chosen.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** Drops prefixes that save too little, longest first; their texts use the next shorter one. */
function keepPaying(
  sorted: readonly CountedText[],
  prefixes: readonly string[],
  tokensOf: (text: string) => number,
): string[] {
  const uses = countUses(sorted, prefixes)
  const remaining = new Set(prefixes)
  for (const prefix of [...prefixes].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))) {
    const count = uses.get(prefix) ?? 0
    const shorter = longestPrefix(prefix, remaining, prefix.length - 1)
    const savedByShorter = shorter === undefined ? 0 : Math.max(0, tokensOf(shorter) - REFERENCE)
    const cost = tokensOf(prefix)
    if (count * (cost - REFERENCE - savedByShorter) > cost - savedByShorter + DEFINITION) continue
    remaining.delete(prefix)
    if (shorter !== undefined) uses.set(shorter, (uses.get(shorter) ?? 0) + count)
  }
  return [...remaining]
}

function countUses(sorted: readonly CountedText[], prefixes: readonly string[]): Map<string, number> {
  const known = new Set(prefixes)
  const uses = new Map<string, number>()
  for (const { text, uses: count } of sorted) {
    const prefix = longestPrefix(text, known, text.length)
    if (prefix !== undefined) uses.set(prefix, (uses.get(prefix) ?? 0) + count)
  }
  return uses
}

export function longestPrefix(text: string, known: ReadonlySet<string>, most: number): string | undefined {
  if (known.size === 0) return undefined
  for (let cut = cutBefore(text, Math.min(most, LONGEST)); cut >= SHORTEST; cut = cutBefore(text, cut - 1)) {
    const prefix = text.slice(0, cut)
    if (known.has(prefix)) return prefix
  }
  return undefined
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

/** The last border up to `at` between a letter or digit and a separator. */
function cutBefore(text: string, at: number): number {
  for (let cut = Math.min(at, text.length - 1); cut > 0; cut--)
    if (isSeparator(text.charCodeAt(cut)) && !isSeparator(text.charCodeAt(cut - 1))) return cut
  return 0
}

function isSeparator(code: number): boolean {
  if (code >= 128) return false
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
  return !isLetter && !(code >= 48 && code <= 57)
}
