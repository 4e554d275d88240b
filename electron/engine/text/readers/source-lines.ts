/** Positions of a text's lines, without their line ends. */
export interface SourceLines {
  readonly text: string
  readonly count: number
  readonly starts: Int32Array
  /** Exclusive, before trailing blanks. */
  readonly stops: Int32Array
  /** Characters outside blank lines, indentation and trailing blanks. */
  readonly size: number
  /** Those that say whose the rows below them are, where they are known. */
  readonly heads?: ReadonlySet<number>
}

const BYTE_ORDER_MARK = 0xfeff

export function sourceLines(text: string): SourceLines {
  let starts = new Int32Array(64 + (text.length >> 5))
  let stops = new Int32Array(starts.length)
  let count = 0
  let size = 0
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end
    const stop = trimEnd(text, start, next)
    if (count === starts.length) {
      starts = longer(starts)
      stops = longer(stops)
    }
    starts[count] = start
    stops[count] = stop
    count++
    if (stop > start) size += stop - trimStart(text, start, stop)
    start = next + 1
  }
  return { text, count, starts: starts.subarray(0, count), stops: stops.subarray(0, count), size }
}

function longer(old: Int32Array): Int32Array<ArrayBuffer> {
  const array = new Int32Array(old.length * 2)
  array.set(old)
  return array
}

export const lineOf = ({ text, starts, stops }: SourceLines, line: number): string =>
  text.slice(starts[line], stops[line])

export const isBlank = ({ starts, stops }: SourceLines, line: number): boolean =>
  (starts[line] ?? 0) >= (stops[line] ?? 0)

export function trimStart(text: string, start: number, stop: number): number {
  let at = start
  while (at < stop && isSpace(text.charCodeAt(at))) at++
  return at
}

export function trimEnd(text: string, start: number, stop: number): number {
  let at = stop
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--
  return at
}

export const isSpace = (code: number): boolean => code <= 32 || code === 0xa0 || code === BYTE_ORDER_MARK

/** A blank and a mark, like the start of a comment behind a value; -1 without one before `stop`. */
export function markAfterBlank(text: string, mark: number, start: number, stop: number): number {
  for (let at = start; at + 1 < stop; at++)
    if (text.charCodeAt(at + 1) === mark && isSpace(text.charCodeAt(at))) return at
  return -1
}
