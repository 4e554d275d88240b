/** Below, a result is too small to be shortened. */
const LEAST_BYTES = 20_000
/** The sample server reads no larger ones. */
const MOST_BYTES = 2_000_000

/** Of the sample server's list of files. Undefined if none is large. */
export function largestFile(list: string): string | undefined {
  const files = parsed(list).filter(({ bytes }) => bytes >= LEAST_BYTES && bytes <= MOST_BYTES)
  return files.toSorted((a, b) => b.bytes - a.bytes)[0]?.path
}

interface ListedFile {
  readonly path: string
  readonly bytes: number
}

function parsed(list: string): ListedFile[] {
  try {
    const items: unknown = JSON.parse(list)
    return Array.isArray(items) ? items.filter(isFile) : []
  } catch {
    return []
  }
}

const isFile = (item: unknown): item is ListedFile =>
  typeof item === 'object' &&
  item !== null &&
  'path' in item &&
  typeof item.path === 'string' &&
  'bytes' in item &&
  typeof item.bytes === 'number'
