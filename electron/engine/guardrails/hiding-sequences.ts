import { terminalSequenceLength } from './terminal-sequences.ts'

const ESC = 0x1b

export interface SequencePlace {
  /** Whether a lone CR or backspace moved the cursor back, so that "erase to the end" has an effect. */
  readonly movedBack: () => boolean
}

/**
 * Length of a sequence that makes a terminal differ from the text: it erases, overwrites, conceals, switches the
 * screen, carries invisible words (titles, links, clipboard), or triggers an answer. 0 for colours, bold, tabs,
 * forward moves. Based on xterm's control sequences.
 */
export function hidingSequenceLength(text: string, index: number, place: SequencePlace): number {
  const code = text.charCodeAt(index)
  const isEscape = code === ESC
  if (!isEscape && (code < 0x80 || code > 0x9f)) return 0
  const kind = isEscape ? text.charCodeAt(index + 1) : code - 0x40
  const length = terminalSequenceLength(text, index)
  const body = index + (isEscape ? 2 : 1)
  if (isCommandString(kind)) return isEscape || index + length > body ? length : 0
  if (kind === 0x5b) {
    const [, prefix = '', numbers = '', between = '', final = ''] =
      SEQUENCE.exec(text.slice(body, index + length)) ?? []
    // In wrongly encoded text these follow other letters; harmful sequences have numbers.
    if (!isEscape && numbers === '' && isLatin1Letter(text.charCodeAt(index - 1))) return 0
    return hides({ prefix, numbers, between, final }, place) ? length : 0
  }
  if (!isEscape) return 0
  return HIDING_ESCAPE.test(text.slice(index + 1, index + length)) ? length : 0
}

const isCommandString = (kind: number): boolean =>
  kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f

const SEQUENCE = /^([<-?]*)([\d;:]*)([ -/]*)([@-~])$/
/** Full reset, restore cursor, line up, screen of E, line-drawing letters. */
const HIDING_ESCAPE = /^(?:c|8|M|#8|[()*+]0)$/
/** Cursor up, to line start, column or place; insert, delete, scroll, back tabs; answers, window, printer. */
const HIDING_FINALS = new Set('AFDGHf`dLMP@XSTrZucntix')
const RECTANGLES = new Set('rtvxz{')
/** Alternate screen, width change that clears, mouse reports. */
const HIDING_MODES = new Set([
  3, 9, 47, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1048, 1049,
])

function hides(
  { prefix, numbers, between, final }: { prefix: string; numbers: string; between: string; final: string },
  { movedBack }: SequencePlace,
): boolean {
  if (between !== '') return between === '$' && RECTANGLES.has(final)
  switch (final) {
    case 'm':
      return prefix === '' && conceals(numbers)
    case 'K':
    case 'J':
      return /[1-3]/.test(numbers) || movedBack()
    case 'h':
    case 'l':
      return prefix === '?' && numbers.split(';').some((mode) => HIDING_MODES.has(Number(mode)))
    default:
      // Keyboard and mouse protocols share final letters but have a prefix.
      return HIDING_FINALS.has(final) && (prefix === '' || final === 'c' || final === 'n')
  }
}

/** Attribute 8 conceals, but not within a colour such as 38;5;8. */
function conceals(numbers: string): boolean {
  const attributes = numbers.split(';')
  for (let i = 0; i < attributes.length; i++) {
    const attribute = attributes[i]
    if (attribute === '38' || attribute === '48' || attribute === '58') i += attributes[i + 1] === '2' ? 4 : 2
    else if (attribute === '8' || attribute === '08') return true
  }
  return false
}

const isLatin1Letter = (code: number): boolean => code >= 0x80 && code <= 0xf4
