const LEAST_LINES = 8
/** Characters looked at. */
const HEAD = 64_000
const LONG_LINE = 400
const MOST_LONG = 0.1
const MOST_WRAPPED = 0.12
const MOST_SENTENCES = 0.15
const MOSTLY_MARKED = 0.6
/** Shorter lines end anywhere. */
const LONG_ENOUGH = 40

const ENDS_SENTENCE = /[\p{L}»")”][.!?。！？]["”»)]?$/u
const BREAKS_OFF = /[\p{Ll}\p{Lo},;]$/u
/** Not a place, as compilers and linters begin with: "src/a.py:84:11:", "src/a.ts(84,11):"; nor a setting: "key=". */
const GOES_ON = /^\s*(?!\S+[:(]\d+[:,]|[\w.-]+(?:\[\w*\])?=)[\p{Ll}\p{Lo}(«"]/u
/** Points at a place in the line above. */
const POINTER = /^\s*\^[\^~-]*(?:\s|$)/
const MARK = /^\s*(?:\S*[\d/:]\S*|[-+*|>#=]+)(?:\s|$)/

/**
 * Each line says something of its own: lines are neither wrapped sentences nor paragraphs. Where many end like
 * sentences, nearly all begin with a place or a number.
 */
export function isLineShaped(text: string): boolean {
  if (isMail(text)) return false
  let [count, wrapped, sentences, long, marked] = [0, 0, 0, 0, 0]
  let before = ''
  for (const raw of text.slice(0, HEAD).split('\n')) {
    const line = raw.trimEnd()
    if (before.length > LONG_ENOUGH && line !== '' && BREAKS_OFF.test(before) && GOES_ON.test(line)) wrapped++
    before = line.slice(-2 * LONG_ENOUGH)
    if (line === '') continue
    count++
    if (line.length > LONG_LINE) long++
    if (line.length > LONG_ENOUGH && ENDS_SENTENCE.test(before) && !POINTER.test(line)) sentences++
    if (MARK.test(line.slice(0, LONG_ENOUGH * 2))) marked++
  }
  if (count < LEAST_LINES || long > MOST_LONG * count || wrapped > MOST_WRAPPED * count) return false
  return sentences <= MOST_SENTENCES * count || marked >= MOSTLY_MARKED * count
}

const HEADER = /^[A-Z][\w-]{1,30}: ?/
const LEAST_HEADERS = 3
const LONGEST_HEADERS = 8000

/** Headers, one of who sends it, then a blank line: what follows is written to be read, however short its lines are. */
function isMail(text: string): boolean {
  const end = /\r?\n[ \t]*\r?\n/.exec(text.slice(0, LONGEST_HEADERS))?.index ?? 0
  const headers = text.slice(0, end).split('\n')
  return (
    headers.length >= LEAST_HEADERS &&
    headers.every((line) => HEADER.test(line) || /^[ \t]+\S/.test(line)) &&
    headers.some((line) => line.startsWith('From: ')) &&
    headers.some((line) => /^(?:Subject|Date|Sent|To): /.test(line))
  )
}
