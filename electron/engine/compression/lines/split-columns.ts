export const MAX_COLUMNS = 14
const LONGEST_BRACKET = 160

/** Words at blanks and bars; bracket groups are one. Reused, not thread-safe. */
export class ColumnSplitter {
  count = 0
  readonly starts = new Int32Array(MAX_COLUMNS)
  readonly ends = new Int32Array(MAX_COLUMNS)
  rest = 0

  split(text: string, from: number, to: number, columns: number): void {
    let i = skipSeparators(text, from, to)
    this.count = 0
    while (this.count < columns && i < to) {
      const end = columnEnd(text, i, to)
      this.starts[this.count] = i
      this.ends[this.count] = end
      this.count++
      i = skipSeparators(text, end, to)
    }
    this.rest = i
  }
}

const isSeparator = (code: number) => code === 32 || code === 9 || code === 124

function skipSeparators(text: string, from: number, to: number): number {
  let i = from
  while (i < to && isSeparator(text.charCodeAt(i))) i++
  return i
}

/** Brackets include text attached to the closing one. */
function columnEnd(text: string, from: number, to: number): number {
  let i = from
  if (text.charCodeAt(from) === 91) {
    const close = text.indexOf(']', from)
    if (close >= 0 && close < to && close - from <= LONGEST_BRACKET) i = close + 1
  }
  while (i < to && !isSeparator(text.charCodeAt(i))) i++
  return i
}
