/** Characters; a longer one may carry other data. */
const LONGEST_NAME = 260
const LONGEST_ADDRESS = 120
const ROOTED = /^(?:[A-Za-z]:)?(?:~|\.{1,2})?[/\\]/
const PART = /^@?[\w.+#~-]*$/
/** Folders of a path from the root may have spaces in their names. */
const SPACED_PART = /^[\w.+#~()-]*(?: [\w.+#~()-]+){0,4}$/
/** A hash in small letters, or a UUID; account numbers have capitals or no letter. */
const HEXADECIMAL = /^(?=.*[a-f])[0-9a-f]{7,64}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SLUG = /^[a-z0-9]+(?:[._-][a-z0-9]+)+$/i
const HOST_AND_PATH = /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/[\w.~%+-]*){0,12}$/

/**
 * Whether a text only names something: a path, an identifier, a short address without a query. A server that answers
 * with names expects them in later calls. E-mail addresses and account numbers aren't
 * such names: they say to whom something goes.
 */
export function isName(text: string): boolean {
  const name = text.trim()
  if (name.length > LONGEST_NAME) return false
  if (HEXADECIMAL.test(name) || (SLUG.test(name) && /[a-z]/i.test(name))) return true
  if (name.includes('://')) return name.length <= LONGEST_ADDRESS && HOST_AND_PATH.test(name)
  const parts = name.replace(/^[A-Za-z]:(?=[/\\])/, '').split(/[/\\]/)
  const part = ROOTED.test(name) ? SPACED_PART : PART
  return parts.length > 1 && parts.every((each) => part.test(each))
}
