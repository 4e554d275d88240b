/** Lines with text; nine bytes each. */
export interface TextLines {
  readonly text: string
  readonly count: number
  start(line: number): number
  end(line: number): number
  /** Whether a blank line is before it. */
  opensParagraph(line: number): boolean
  /** Whether two are, or no line at all. */
  opensPart(line: number): boolean
  read(line: number): string
}

// oxlint-disable-next-line no-control-regex -- terminal codes begin with the escape character
const TERMINAL_CODES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\))/g

const MOST_BLANKS = 2

/** One pass, after removing terminal codes. Of a line that was written over, what stood last. */
export function readTextLines(source: string): TextLines {
  const text = source.includes('\u001b') ? source.replace(TERMINAL_CODES, '') : source
  const isOverwritten = /\r(?!\n|$)/.test(text)
  let places = new Uint32Array(2 * Math.max(64, Math.ceil(text.length / 60)))
  let opens = new Uint8Array(places.length / 2)
  let count = 0
  let start = 0
  let blanks = MOST_BLANKS
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const next = found < 0 ? text.length : found
    let end = next
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
    const from = isOverwritten ? afterReturn(text, start, end) : start
    if (end > from) {
      if (count >= opens.length) {
        places = grown(places, new Uint32Array(places.length * 2))
        opens = grown(opens, new Uint8Array(opens.length * 2))
      }
      places[2 * count] = from
      places[2 * count + 1] = end
      opens[count] = blanks
      count++
      blanks = 0
    } else blanks = Math.min(MOST_BLANKS, blanks + 1)
    start = next + 1
  }
  return {
    text,
    count,
    start: (line) => places[2 * line] ?? 0,
    end: (line) => places[2 * line + 1] ?? 0,
    opensParagraph: (line) => (opens[line] ?? 0) > 0,
    opensPart: (line) => opens[line] === MOST_BLANKS,
    read: (line) => text.slice(places[2 * line], places[2 * line + 1]),
  }
}

function grown<T extends Uint32Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}

function afterReturn(text: string, start: number, end: number): number {
  for (let i = end - 1; i >= start; i--) if (text.charCodeAt(i) === 13) return i + 1
  return start
}

const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** Uneven steps, because even ones miss what alternates. */
export function* sampleLines(count: number, size: number): Generator<number> {
  if (count <= size) {
    for (let line = 0; line < count; line++) yield line
    return
  }
  for (let i = 0; i < size; i++) yield Math.floor(((i + ((i * GOLDEN_RATIO) % 1)) * count) / size)
}

const GOLDEN_RATIO = 0.618_033_988_749_895
