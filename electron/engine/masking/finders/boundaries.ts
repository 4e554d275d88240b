export const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95

const FOREIGN_LETTER = /^\p{L}/u
const FOREIGN_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/**
 * In any script. Code, because a pattern class of all letters takes ten times as long to compile as the rest, which
 * slows short-lived processes.
 */
export const isLetterAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  if (code < 128) return (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
  return FOREIGN_LETTER.test(text.slice(index, index + 2))
}
export const isInWord = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  if (code < 128) return isWordCode(code) && code !== 95
  return FOREIGN_LETTER_OR_DIGIT.test(text.charAt(index))
}
export const isLetterBefore = (text: string, index: number): boolean => {
  const isPair = index > 1 && (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00
  return index > 0 && isLetterAt(text, index - (isPair ? 2 : 1))
}

/** Ends right before `index`. Ignores the letter of an escape, as in `\n555`. */
export function isWordBefore(text: string, index: number): boolean {
  if (index <= 0 || !isWordCode(text.charCodeAt(index - 1))) return false
  return !/[nrt]/.test(text.charAt(index - 1)) || text.charAt(index - 2) !== '\\'
}

export const isWordAt = (text: string, index: number): boolean => isWordCode(text.charCodeAt(index))

/** In a longer base64 run, a match is chance. */
const LONGEST_TOKEN = 300
const BASE64_CODE = /[A-Za-z0-9+/=_-]/

/** For example a base64 picture. */
export function isInsideEncodedData(text: string, start: number, end: number): boolean {
  let from = start
  while (from > 0 && start - from < LONGEST_TOKEN && BASE64_CODE.test(text.charAt(from - 1))) from--
  let to = end
  while (to < text.length && to - end < LONGEST_TOKEN && BASE64_CODE.test(text.charAt(to))) to++
  return to - from >= LONGEST_TOKEN
}
