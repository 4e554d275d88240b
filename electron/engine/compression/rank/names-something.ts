/** Characters of a window: a line, or a piece of a long one. */
const WINDOW = 200
/** Of all windows: what is in more of them is the text's subject. */
const MOST_SHARE = 0.02
const LEAST_RARE = 3
const LONGEST_TEXT = 4_000_000
const MOST_NAMES = 60

/** Digits, a path, a dotted or joined name, capitals inside, something quoted, or a capital that begins no sentence. */
const NAMES =
  /[\w$@#]*[\d_][\w$]*|[\w$-]+(?:[./:@#][\w$-]+)+|[a-z]+[A-Z]\w*|(?<=[`"'“])[\p{L}\w-]{3,}(?=[`"'”])|(?<=[\p{Ll},] )\p{Lu}[\p{L}\w-]{2,}/gu
/** Numbers of few digits, and abbreviations such as API. */
const SAYS_LITTLE = /^(?:\d{1,2}|.{1,2}|\p{Lu}{1,5}s?)$/u

/**
 * Whether a user's request names something that few lines of a text have. Only then is it a goal of that text: a general
 * request ("find out why it fails") ranks worse than an overview (docs/measurements.md).
 */
export function namesSomething(request: string, text: string): boolean {
  const folded = text.slice(0, LONGEST_TEXT).toLowerCase()
  const most = Math.max(LEAST_RARE, windowsIn(folded) * MOST_SHARE)
  const names = new Set((request.match(NAMES) ?? []).filter((name) => !SAYS_LITTLE.test(name)))
  return [...names].slice(0, MOST_NAMES).some((name) => isRare(folded, name.toLowerCase(), most))
}

/** There, as a word of its own, but at no more than `most` places. */
function isRare(text: string, name: string, most: number): boolean {
  let places = 0
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (isLetter(text[at - 1]) || isLetter(text[at + name.length])) continue
    if (++places > most) return false
  }
  return places > 0
}

function windowsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) {
    const newline = text.indexOf('\n', at)
    at = newline === -1 || newline - at > WINDOW ? at + WINDOW : newline + 1
  }
  return count
}

const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char)
