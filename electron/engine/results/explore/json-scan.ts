/** Told what stands where in a JSON text. `path` makes the path of the value at hand; call it before returning. */
export interface JsonVisitor {
  /** `start` is that of the field's name, where there is one; `bracket` is where the value itself starts. */
  open?: (start: number, bracket: number, path: () => JsonPath) => void
  close?: (start: number, end: number, path: () => JsonPath) => void
  /** `start` is that of the field's name, where the value has one. */
  scalar?: (start: number, end: number, path: () => JsonPath) => void
}
type JsonPath = readonly (string | number)[]

interface Frame {
  isList: boolean
  /** Start of the field's name or of the value itself. */
  start: number
  index: number
  key: string
  keyStart: number | undefined
}

const QUOTE = 34
const COMMA = 44
const COLON = 58

/** Walks over JSON, or values in a row (JSON lines: `areLines`, each is one element), without building anything. Never throws. */
export function scanJson(text: string, areLines: boolean, visitor: JsonVisitor): void {
  const frames: Frame[] = []
  let values = 0
  const path = (): JsonPath => [
    ...(areLines ? [values] : []),
    ...frames.map((frame) => (frame.isList ? frame.index : frame.key)),
  ]
  const startOf = (at: number) => frames.at(-1)?.keyStart ?? at
  const done = () => {
    const frame = frames.at(-1)
    if (frame) frame.keyStart = undefined
    else values++
  }
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code <= 32) at++
    else if (code === COMMA) {
      const frame = frames.at(-1)
      if (frame) frame.index++
      at++
    } else if (code === COLON) at++
    else if (code === 123 || code === 91) {
      visitor.open?.(startOf(at), at, path)
      frames.push({ isList: code === 91, start: startOf(at), index: 0, key: '', keyStart: undefined })
      at++
    } else if (code === 125 || code === 93) {
      const frame = frames.pop()
      at++
      if (frame) visitor.close?.(frame.start, at, path)
      done()
    } else if (code === QUOTE) {
      const end = stringEnd(text, at)
      const frame = frames.at(-1)
      if (frame && !frame.isList && frame.keyStart === undefined) {
        frame.keyStart = at
        frame.key = decoded(text.slice(at, end))
      } else {
        visitor.scalar?.(startOf(at), end, path)
        done()
      }
      at = end
    } else {
      const start = at
      while (at < text.length && !isDelimiter(text.charCodeAt(at))) at++
      at = Math.max(at, start + 1)
      visitor.scalar?.(startOf(start), at, path)
      done()
    }
  }
}

/** The path of each place, `users[3].email`; places ascend. */
export function pathsAt(text: string, areLines: boolean, places: readonly number[]): string[] {
  const found: string[] = []
  const upTo = (end: number, path: () => JsonPath) => {
    while (found.length < places.length && (places[found.length] ?? 0) < end) found.push(formatPath(path()))
  }
  scanJson(text, areLines, {
    // A place in the name of an object, or at its start, means the object.
    open: (_start, bracket, path) => upTo(bracket + 1, path),
    scalar: (_start, end, path) => upTo(end, path),
    close: (_start, end, path) => upTo(end, path),
  })
  return places.map((_, index) => found[index] ?? '')
}

/** As proxy_filter takes it. */
function formatPath(path: JsonPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    if (!/^[^.[\]"'\s*=<>]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

function stringEnd(text: string, open: number): number {
  for (let at = open + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === 92) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    at = quote + 1
  }
}

const isDelimiter = (code: number): boolean =>
  code <= 32 ||
  code === COMMA ||
  code === COLON ||
  code === QUOTE ||
  code === 93 ||
  code === 125 ||
  code === 91 ||
  code === 123

function decoded(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}
