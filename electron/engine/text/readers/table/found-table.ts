const FIRST_CELLS = 64

function longer(old: Int32Array): Int32Array<ArrayBuffer> {
  const array = new Int32Array(Math.ceil(old.length * 1.5))
  array.set(old)
  return array
}

/** Cells of one table as positions in the source, row after row. */
export class FoundTable {
  readonly form: 'delimited' | 'drawn' | 'aligned'
  /** Printed between cells. */
  readonly separator: string
  /** Lines from `first` to before `end`. */
  readonly first: number
  end: number
  /** Whether row 0 names the columns. */
  hasHeader = false
  /** The columns' names, where no row has them. */
  names: readonly string[] = []
  /** Of a table that is called by a name, not by the line above it. */
  title: string | undefined
  /** First cell of each row. */
  readonly rows: number[] = []
  #starts = new Int32Array(FIRST_CELLS)
  #stops = new Int32Array(FIRST_CELLS)
  #cells = 0
  /** By cell: the value where it isn't the source. */
  readonly values = new Map<number, string>()
  /** Rows that go on with cells of the row above. */
  readonly continued = new Set<number>()
  /** Rows with another number of cells than most, or cells across a column's edge. */
  exceptions = 0

  constructor(form: FoundTable['form'], separator: string, first: number) {
    this.form = form
    this.separator = separator
    this.first = first
    this.end = first
  }

  beginRow(): void {
    this.rows.push(this.#cells)
  }

  add(start: number, stop: number): void {
    if (this.#cells === this.#starts.length) {
      this.#starts = longer(this.#starts)
      this.#stops = longer(this.#stops)
    }
    this.#starts[this.#cells] = start
    this.#stops[this.#cells++] = stop
  }

  get cells(): number {
    return this.#cells
  }

  startOf(cell: number): number {
    return this.#starts[cell] ?? 0
  }

  stopOf(cell: number): number {
    return this.#stops[cell] ?? 0
  }

  /** Joins a cell with the next one: what separates them is of both. */
  joinNext(cell: number): void {
    this.#starts.copyWithin(cell + 1, cell + 2, this.#cells)
    this.#stops.copyWithin(cell, cell + 1, this.#cells)
    this.#cells--
  }

  /** Forgets the cells from `count`. */
  truncate(count: number): void {
    this.#cells = count
  }

  /** Ends the table earlier. */
  endAfter({ rows, cells, exceptions, end }: Record<'rows' | 'cells' | 'exceptions' | 'end', number>): void {
    this.rows.length = rows
    this.truncate(cells)
    this.exceptions = exceptions
    this.end = end
  }

  rowEnd(row: number): number {
    return this.rows[row + 1] ?? this.#cells
  }

  /** The row after those that go on with this one. */
  endOfRecord(row: number): number {
    let end = row + 1
    while (this.continued.has(end)) end++
    return end
  }

  widthOf(row: number): number {
    return this.rowEnd(row) - (this.rows[row] ?? 0)
  }

  valueOf(text: string, cell: number): string {
    return this.values.get(cell) ?? text.slice(this.#starts[cell], this.#stops[cell])
  }

  valuesOf(text: string, row: number): string[] {
    const values: string[] = []
    for (let cell = this.rows[row] ?? 0; cell < this.rowEnd(row); cell++)
      values.push(this.valueOf(text, cell))
    return values
  }
}

const SAMPLE = 60
const VALUE_LIKE = /^[-+(<~≈]?[$€£¥]?\s?\d[\d.,:/%TZ+-]*\s?[a-zA-Z%€$°]{0,5}\)?$/
const YEAR = /^(?:19|20)\d\d$/
const WORDY = /^[\p{L}_#%@$*][^;{}"=]{0,60}$/u

/** Whether the first row's cells differ from those below as names do from values. */
export function findHeader(table: FoundTable, text: string): boolean {
  const names = table.valuesOf(text, 0)
  const filled = names.filter((name) => name !== '')
  if (filled.length < 2 || filled.length * 2 < names.length) return false
  // `total 3428` is a sum.
  if (filled.length === 2 && filled.some((name) => VALUE_LIKE.test(name) && !YEAR.test(name))) return false
  const body = Math.min(SAMPLE, table.rows.length - 1)
  if (body < 1) return false
  if (names.some((name) => CLOCK.test(name) && !YEAR.test(name))) return false
  let score = new Set(filled).size === filled.length ? 0.25 : -0.5
  for (const [column, name] of names.entries()) {
    if (name === '') continue
    const isValue = VALUE_LIKE.test(name)
    let values = 0
    let seen = 0
    let same = 0
    let alike = 0
    const shape = shapeOf(name)
    for (let row = 1; row <= body; row++) {
      const cell = (table.rows[row] ?? 0) + column
      if (cell >= table.rowEnd(row)) continue
      const value = table.valueOf(text, cell)
      if (value === '') continue
      seen++
      if (value === name) same++
      if (shape !== '' && shapeOf(value) === shape) alike++
      if (VALUE_LIKE.test(value)) values++
    }
    const isMeasure = seen > 0 && values >= seen * 0.8
    if (isMeasure && !isValue) score += 1
    else if (isValue && !YEAR.test(name)) score -= 1
    else if (same > 0 || (seen > 0 && alike >= seen * 0.8)) score -= 0.5
    else score += WORDY.test(name) ? 0.1 : -0.3
  }
  return score > 0
}

/** What values share with each other and seldom with their name: letters and digits in one word, a sign before words. */
const shapeOf = (value: string): string =>
  ID.test(value) ? `id${value.length}` : /^[^\p{L}\p{N}\s_#%*$-]/u.test(value) ? value.charAt(0) : ''

/** Such as a hash. */
export const ID = /^(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{4,}$/i
const CLOCK = /\b\d\d:\d\d\b|^\d{4}-\d\d-\d\d/
const PAIRS = /(?:^|\s)[a-z_]\w*=\S* [a-z_]\w*=/i
const TYPED_COLUMN = 0.7
const LEAST_UNNAMED = 4

/** Whether rows without names for their columns are a table all the same: lines of a log have a time and words. */
export function isTableUnnamed(table: FoundTable, text: string): boolean {
  if (table.hasHeader) return true
  const isFree = table.form === 'aligned' || table.separator === '\t'
  const rows = Math.min(SAMPLE, table.rows.length)
  let timed = 0
  let paired = 0
  let width = 0
  const typed: number[] = []
  for (let row = 0; row < rows; row++) {
    const cells = table.valuesOf(text, row)
    // A table may have times in other cells, too.
    if (
      (isFree || cells.length < 3 ? cells : cells.slice(0, 1)).some((cell) => CLOCK.test(cell.slice(0, 60)))
    )
      timed++
    if (cells.some((cell) => PAIRS.test(cell))) paired++
    width = Math.max(width, cells.length)
    for (const [column, cell] of cells.entries())
      if (VALUE_LIKE.test(cell) || (column === 0 && ID.test(cell))) typed[column] = (typed[column] ?? 0) + 1
  }
  if (!isFree && (table.separator === ',' || table.separator === ';') && width >= LEAST_UNNAMED) return true
  // Lines of a log, or values with names of their own.
  if (timed > rows / 2 || paired > rows / 2) return false
  if (table.form === 'delimited' || width >= LEAST_UNNAMED) return true
  return typed.some((count) => count >= rows * TYPED_COLUMN)
}
