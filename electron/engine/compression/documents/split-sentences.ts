/** Shorter pieces are joined to their neighbour: alone they say nothing. */
const MIN_LENGTH = 40
const MIN_LAST = 25
/** Longer ones are cut at a blank. */
const MAX_LENGTH = 1500
const CUT_AT = 600

const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st sr jr vs etc e.g i.e no vol fig al inc ltd co corp gen col lt sgt rev hon gov sen rep u.s u.k d.c approx ca cf pp jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
)

/** Splits a paragraph into sentences. One pass; a full stop after an abbreviation or an initial ends none. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  const add = (end: number) => {
    const piece = text.slice(start, end).trim()
    start = end
    if (piece === '') return
    const last = sentences.at(-1)
    if (
      last !== undefined &&
      (last.length < MIN_LENGTH || piece.length < MIN_LAST) &&
      last.length < MAX_LENGTH
    )
      sentences[sentences.length - 1] = `${last} ${piece}`
    else sentences.push(piece)
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) add(i + 1)
    else if (isFullWidthEnd(code)) add(i + 1)
    else if (code === 46 || code === 33 || code === 63) {
      const end = afterClosers(text, i + 1)
      if (startsSentence(text, end) && !(code === 46 && endsAbbreviation(text, start, i))) {
        add(end)
        i = end - 1
      }
    }
  }
  add(text.length)
  return sentences.flatMap(cutLong)
}

const isFullWidthEnd = (code: number) => code === 0x3002 || code === 0xff01 || code === 0xff1f

/** Skips quotes, brackets and footnote marks that close a sentence. */
function afterClosers(text: string, from: number): number {
  let i = from
  while (i < text.length && i < from + 6 && /["'”’)\]]/.test(text.charAt(i))) i++
  return i
}

function startsSentence(text: string, at: number): boolean {
  if (!/\s/.test(text.charAt(at))) return false
  let i = at
  while (i < text.length && i < at + 8 && /\s/.test(text.charAt(i))) i++
  return /[\p{Lu}\p{Lo}\p{N}"'([“‘«*_-]/u.test(text.charAt(i))
}

function endsAbbreviation(text: string, start: number, stop: number): boolean {
  let i = stop
  while (i > start && i > stop - 12 && /[\p{L}.]/u.test(text.charAt(i - 1))) i--
  const word = text.slice(i, stop)
  return (word.length === 1 && /\p{Lu}/u.test(word)) || ABBREVIATIONS.has(word.toLowerCase())
}

function cutLong(sentence: string): string[] {
  if (sentence.length <= MAX_LENGTH) return [sentence]
  const pieces: string[] = []
  let start = 0
  while (start < sentence.length) {
    const window = sentence.slice(start, start + CUT_AT)
    const blank = window.lastIndexOf(' ')
    const length = start + CUT_AT >= sentence.length || blank <= 0 ? wholeCharacters(window) : blank
    const end = start + length
    pieces.push(sentence.slice(start, end).trim())
    start = end
  }
  return pieces.filter((piece) => piece !== '')
}

/** Length without a surrogate pair cut in half at the end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff && text.length > 1 ? text.length - 1 : text.length
}
