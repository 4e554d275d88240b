/** ASCII letters, digits and the underscore: what an identifier or number could go on with. */
export const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95

export const isDigitCode = (code: number): boolean => code >= 48 && code <= 57

/** Whether a word ends right before `index`. The letter of an escape that was left in the text, as in `\n555`, does not count. */
export function isWordBefore(text: string, index: number): boolean {
  if (index <= 0 || !isWordCode(text.charCodeAt(index - 1))) return false
  return !/[nrt]/.test(text.charAt(index - 1)) || text.charAt(index - 2) !== '\\'
}

export const isWordAt = (text: string, index: number): boolean => isWordCode(text.charCodeAt(index))

/** Characters of base64 that may stand in one run before a hit inside it counts as chance. */
const LONGEST_TOKEN = 300
const BASE64_CODE = /[A-Za-z0-9+/=_-]/

/** Whether a hit lies in encoded data, such as a picture in base64, where anything looks like anything. */
export function isInsideEncodedData(text: string, start: number, end: number): boolean {
  let from = start
  while (from > 0 && start - from < LONGEST_TOKEN && BASE64_CODE.test(text.charAt(from - 1))) from--
  let to = end
  while (to < text.length && to - end < LONGEST_TOKEN && BASE64_CODE.test(text.charAt(to))) to++
  return to - from >= LONGEST_TOKEN
}
