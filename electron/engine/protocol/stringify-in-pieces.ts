import { randomUUID } from 'node:crypto'

const PIECE = 1_000_000

export interface PiecesOptions<Inside> {
  /** In characters. */
  readonly size?: number
  /** How a long text is known to be written between its quotes; undefined where that isn't known. */
  readonly insideOf?: (text: string) => Inside | undefined
}

/**
 * `JSON.stringify(value)` in pieces that make the same text, so that one of 50 MB need not lie in memory a second time. Texts
 * of more than `size` characters come in pieces of so many, or whole where `insideOf` knows them.
 */
export function* stringifyInPieces<Inside = never>(
  value: unknown,
  { size = PIECE, insideOf }: PiecesOptions<Inside> = {},
): Generator<string | Inside> {
  const long: string[] = []
  // What stands for a long text occurs nowhere else.
  const mark = randomUUID()
  const frame = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'string' || item.length <= size) return item
    long.push(item)
    return mark
  })
  const [first = '', ...others] = long.length === 0 ? [frame] : frame.split(`"${mark}"`)
  yield* piecesOf(first, size)
  for (const [index, after] of others.entries()) {
    const text = long[index] ?? ''
    const inside = insideOf?.(text)
    yield '"'
    if (inside !== undefined) yield inside
    else for (const piece of piecesOf(text, size)) yield JSON.stringify(piece).slice(1, -1)
    yield '"'
    yield* piecesOf(after, size)
  }
}

/** No piece ends within a surrogate pair, which JSON would write otherwise when it is parted. */
function* piecesOf(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + size, text.length)
    const code = text.charCodeAt(end - 1)
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end--
    yield text.slice(start, end)
    start = end
  }
}
