/** Besides a text's characters. */
const VALUE_SIZE = 16

/** In characters, bytes and values; stops at `enough`, so that large inputs cost no more. */
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

/** Returns the keys' size. Too many to list counts as `enough`. */
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
