import { isPlaceholder } from './placeholders.ts'

/** A row's strings, by the index that its reader gave them; undefined where its value is another. */
type Cells = (number | undefined)[]

interface Level {
  readonly isArray: boolean
  /** Of an array. */
  readonly cells: Cells
  /** Of an array of strings only. */
  names: string[] | undefined
  /** For rows within: the first row, or arrays of names beside them. */
  readonly headers: (readonly string[])[]
}

const level = (isArray: boolean): Level => ({
  isArray,
  cells: [],
  names: isArray ? [] : undefined,
  headers: [],
})

const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const COMMA = 0x2c

/** The header of each string in rows of JSON: arrays below an array of names, or beside one in the same object. */
export class ArrayColumns {
  /** Around them all, so that lines of JSON are rows, too. */
  readonly #levels: Level[] = [level(true)]
  readonly #label: (string: number, header: string) => void
  #isValue = false

  constructor(label: (string: number, header: string) => void) {
    this.#label = label
  }

  /** What is between two strings. */
  read(text: string, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        this.#other()
        this.#isValue = false
        this.#levels.push(level(code === OPEN_ARRAY))
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) this.#close()
      else if (code === COMMA) this.#isValue = false
      // A number, true, false or null.
      else if (code > 32 && code !== 0x3a && !this.#isValue) this.#other()
    }
  }

  string(content: string, index: number | undefined): void {
    this.#isValue = true
    const top = this.#levels.at(-1)
    if (top?.isArray !== true) return
    // It may be a number's.
    if (isPlaceholder(content)) top.names = undefined
    top.names?.push(content)
    top.cells.push(index)
  }

  /** A number that a header may name. */
  number(index: number): void {
    this.#isValue = true
    const top = this.#levels.at(-1)
    if (top?.isArray !== true) return
    top.names = undefined
    top.cells.push(index)
  }

  /** A number, an array, an object, a Boolean or null. */
  #other(): void {
    this.#isValue = true
    const top = this.#levels.at(-1)
    if (top?.isArray !== true) return
    top.names = undefined
    top.cells.push(undefined)
  }

  #close(): void {
    const row = this.#levels.pop()
    const parent = this.#levels.at(-1)
    this.#isValue = true
    if (!row?.isArray || !parent) return
    const names = row.names && row.names.length > 1 ? row.names : undefined
    const isSameWidth = ({ length }: readonly string[]): boolean => length === row.cells.length
    const columns = parent.isArray
      ? (parent.headers.find(isSameWidth) ?? this.#levels.at(-2)?.headers.find(isSameWidth))
      : undefined
    if (columns) this.#name(row.cells, columns)
    else if (names && (!parent.isArray || parent.cells.length === 1)) parent.headers.push(names)
  }

  #name(cells: Cells, columns: readonly string[]): void {
    for (const [column, header] of columns.entries()) {
      const index = cells[column]
      if (index !== undefined) this.#label(index, header)
    }
  }
}

/** Whether rows may be in a text. */
export const mayHaveRows = (text: string): boolean => /\]\s*,\s*\[|[[\]]\s*\[/.test(text)

const isRow = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 1
const areNames = (value: unknown): value is string[] =>
  isRow(value) && value.every((name) => typeof name === 'string' && !isPlaceholder(name))

/** The same of values: the names of the columns of an array of rows, with the arrays beside it. */
export function columnsOfRows(rows: unknown, beside: Iterable<unknown>): readonly string[] | undefined {
  if (!Array.isArray(rows) || !isRow(rows[0])) return undefined
  const width = rows[0].length
  for (const other of beside) if (other !== rows && areNames(other) && other.length === width) return other
  return areNames(rows[0]) && rows.length > 1 ? rows[0] : undefined
}
