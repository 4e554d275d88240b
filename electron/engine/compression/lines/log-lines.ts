/** Non-blank lines; eight bytes each. */
export interface LogLines {
  readonly text: string
  readonly count: number
  start(line: number): number
  end(line: number): number
  read(line: number): string
}

// oxlint-disable-next-line no-control-regex -- terminal colours begin with the escape character
const TERMINAL_CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** One pass, after removing terminal colours. */
export function readLogLines(log: string): LogLines {
  const text = log.includes('\u001b[') ? log.replace(TERMINAL_CODES, '') : log
  let places = new Uint32Array(2 * Math.max(64, Math.ceil(text.length / 60)))
  let count = 0
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const next = found < 0 ? text.length : found
    let end = next
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
    if (end > start) {
      if (2 * count + 2 > places.length) {
        const larger = new Uint32Array(places.length * 2)
        larger.set(places)
        places = larger
      }
      places[2 * count] = start
      places[2 * count + 1] = end
      count++
    }
    start = next + 1
  }
  return {
    text,
    count,
    start: (line) => places[2 * line] ?? 0,
    end: (line) => places[2 * line + 1] ?? 0,
    read: (line) => text.slice(places[2 * line], places[2 * line + 1]),
  }
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
