import { classOf, IDEOGRAPH, LOWER, MARK, SEPARATOR, UPPER } from './char-classes.ts'

/** Longer words are encoded data. */
export const MAX_BORDERS = 24

/**
 * Scans a text's words without creating strings: runs of letters and digits, single ideographs, thousands commas as
 * part of numbers. `borders` contains the starts of identifier parts (camelCase, letters against digits).
 */
class WordScanner {
  start = 0
  end = 0
  borderCount = 0
  readonly borders = new Int32Array(MAX_BORDERS)
  #text = ''
  #position = 0
  #limit = 0

  reset(text: string, start = 0, end = text.length): void {
    this.#text = text
    this.#position = start
    this.#limit = end
  }

  next(): boolean {
    const text = this.#text
    const limit = this.#limit
    let i = this.#position
    let previous = SEPARATOR
    while (i < limit) {
      previous = classOf(text.charCodeAt(i))
      if (previous !== SEPARATOR && previous !== MARK) break
      i++
    }
    this.start = i
    this.borderCount = 0
    if (i >= limit) return false
    if (previous === IDEOGRAPH) {
      this.end = this.#position = i + 1
      return true
    }
    let partStart = i
    while (++i < limit) {
      const code = text.charCodeAt(i)
      const kind = classOf(code)
      if (kind === previous) continue
      if (kind === SEPARATOR) {
        if (code === 44 && isThousandsComma(text, this.start, i, limit)) {
          // In CSV the comma may separate columns: both readings count.
          partStart = this.#addBorder(i + 1)
          continue
        }
        break
      }
      if (kind === IDEOGRAPH) break
      if (kind === MARK) continue
      if (previous === UPPER && kind === LOWER) {
        if (i - 1 > partStart) partStart = this.#addBorder(i - 1)
      } else partStart = this.#addBorder(i)
      previous = kind
    }
    this.end = this.#position = i
    return true
  }

  #addBorder(at: number): number {
    if (this.borderCount < MAX_BORDERS) this.borders[this.borderCount++] = at
    return at
  }
}

/** Up to three digits before, exactly three after. */
export function isThousandsComma(text: string, start: number, comma: number, limit: number): boolean {
  if (comma + 3 >= limit || !isAsciiDigit(text.charCodeAt(start))) return false
  for (let i = Math.max(start, comma - 3); i < comma; i++) if (!isAsciiDigit(text.charCodeAt(i))) return false
  if (comma - start > 3 && text.charCodeAt(comma - 4) !== 44) return false
  for (let i = comma + 1; i <= comma + 3; i++) if (!isAsciiDigit(text.charCodeAt(i))) return false
  return comma + 4 >= limit || !isAsciiDigit(text.charCodeAt(comma + 4))
}

const isAsciiDigit = (code: number) => code >= 48 && code <= 57

const scanner = new WordScanner()

/** For short texts: goals, field names. */
export function wordsOf(text: string): string[] {
  scanner.reset(text)
  const words: string[] = []
  while (scanner.next()) words.push(text.slice(scanner.start, scanner.end))
  return words
}

/** "userName2" → user, Name, 2; undivided words stay. */
export function partsOf(word: string): string[] {
  scanner.reset(word)
  if (!scanner.next()) return []
  const cuts = [scanner.start, ...scanner.borders.subarray(0, scanner.borderCount), scanner.end]
  return cuts.slice(1).map((cut, i) => word.slice(cuts[i], cut))
}
