/** At most `longest` characters, never within a path, an address, an id or a number. */
export function cutAtWord(text: string, longest: number): string {
  if (text.length <= longest) return text
  let end = longest
  while (end > 0 && !isBorder(text.charCodeAt(end)) && !isBorder(text.charCodeAt(end - 1))) end--
  // One word without a border is data: nothing of it is whole.
  return text.slice(0, end).trimEnd()
}

/** Blanks, quotes, commas, brackets and characters of scripts without blanks: words keep their dots, slashes, dashes. */
export const isBorder = (code: number): boolean =>
  code < 128
    ? BORDERS.includes(String.fromCharCode(code))
    : code >= 0x2e80 && (code < 0xd800 || code > 0xdfff)

const BORDERS = ` \t"'(),;<>[]{}|`

export const withMark = (text: string, longest: number): string => {
  if (text.length <= longest) return text
  return `${cutAtWord(text, longest)}…`
}
