/** What any value costs beside the characters of a text. */
const VALUE_SIZE = 16

/**
 * How much work a job's input is, in characters, bytes and values; stops at `enough`, so that a large input costs no more to
 * measure than a small one.
 */
export function jobSize(input: unknown, enough: number): number {
  let size = 0
  const rest: unknown[] = [input]
  while (rest.length > 0 && size < enough) {
    const value = rest.pop()
    size += VALUE_SIZE
    if (typeof value === 'string') size += value.length
    else if (ArrayBuffer.isView(value)) size += value.byteLength
    else if (typeof value === 'object' && value !== null) size += addInside(value, rest, enough - size)
  }
  return size
}

/** Puts what is inside a value on the list, and gives the size of its keys. What is too much to list is enough. */
function addInside(value: object, list: unknown[], enough: number): number {
  if (Array.isArray(value)) {
    if (value.length * VALUE_SIZE >= enough) return enough
    for (const item of value as unknown[]) list.push(item)
    return 0
  }
  let size = 0
  for (const key in value) {
    size += key.length
    if (size + list.length * VALUE_SIZE >= enough) return enough
    list.push((value as Record<string, unknown>)[key])
  }
  return size
}
