export const MAX_FIELDS = 12
const LONGEST_BRACKET = 160
const LONGEST_CELL = 80
const MOST_CELLS = 4

/** Fields at the beginning of a line: runs without blanks or bars, bracket groups, leading tab cells. Reused, not thread-safe. */
export class FieldSplitter {
  count = 0
  readonly starts = new Int32Array(MAX_FIELDS)
  readonly ends = new Int32Array(MAX_FIELDS)
  readonly #isTabbed: boolean

  /** `isTabbed`: the first cells end at tabs: a job, a step. */
  constructor(isTabbed: boolean) {
    this.#isTabbed = isTabbed
  }

  split(text: string, from: number, to: number, most: number): void {
    this.count = 0
    let at = from
    if (this.#isTabbed)
      for (let cell = 0; cell < MOST_CELLS && this.count < most; cell++) {
        const tab = text.indexOf('\t', at)
        if (tab < 0 || tab >= to || tab - at > LONGEST_CELL) break
        if (tab > at) this.#add(at, tab)
        at = tab + 1
      }
    while (this.count < most) {
      while (at < to && isSeparator(text.charCodeAt(at))) at++
      if (at >= to) return
      const end = fieldEnd(text, at, to)
      this.#add(at, end)
      at = end
    }
  }

  #add(start: number, end: number): void {
    this.starts[this.count] = start
    this.ends[this.count] = end
    this.count++
  }
}

const isSeparator = (code: number) => code === 32 || code === 9 || code === 10 || code === 13 || code === 124

function fieldEnd(text: string, from: number, to: number): number {
  let i = from
  if (text.charCodeAt(from) === 91) i = bracketEnd(text, from, Math.min(to, from + LONGEST_BRACKET))
  while (i < to && !isSeparator(text.charCodeAt(i))) i++
  return i
}

/** Of a group with at most one group inside; `from` where it does not close. */
function bracketEnd(text: string, from: number, to: number): number {
  let depth = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 91 && ++depth > 2) return from
    if (code === 93 && --depth === 0) return i + 1
  }
  return from
}
