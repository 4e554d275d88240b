/** From so many characters on a text is read, moved and written in pieces. */
const LONG = 1_000_000
const MOST_VALUES = 100

/** Whether a value holds long texts and little else: what has many values is faster written in one go. */
export function isMostlyLongTexts(value: unknown): boolean {
  const open: unknown[] = [value]
  let isFound = false
  for (let looked = 0; open.length > 0; looked++) {
    if (looked + open.length > MOST_VALUES) return false
    const next = open.pop()
    if (typeof next === 'string') isFound ||= next.length > LONG
    else if (Array.isArray(next) && next.length > MOST_VALUES) return false
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next))
  }
  return isFound
}
