import { terminalSequenceLength } from './terminal-sequences.ts'

const ESC = 0x1b

/** Where a sequence stands: what follows it and what came before decide whether it hides anything. */
export interface SequencePlace {
  /** Whether a lone CR or a backspace moved the cursor back within the line, so that "erase to the end" erases something. */
  readonly movedBack: () => boolean
}

/**
 * Length of the terminal control sequence at `index` if it makes a terminal show something else than the text says: it erases,
 * overwrites, conceals, switches the screen, carries words that are not shown (titles, links, the clipboard), or makes the
 * terminal answer. 0 for everything else: colours, bold, tabs, what only moves on. From xterm's list of control sequences.
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
    // Text in the wrong encoding holds these characters behind other letters; a sequence that does harm has numbers.
    if (!isEscape && numbers === '' && isLatin1Letter(text.charCodeAt(index - 1))) return 0
    return hides({ prefix, numbers, between, final }, place) ? length : 0
  }
  if (!isEscape) return 0
  return HIDING_ESCAPE.test(text.slice(index + 1, index + length)) ? length : 0
}

/** OSC, DCS, SOS, PM, APC. */
const isCommandString = (kind: number): boolean =>
  kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f

const SEQUENCE = /^([<-?]*)([\d;:]*)([ -/]*)([@-~])$/
/** Full reset, cursor back to where it was saved, one line up, a screen full of E, letters shown as lines. */
const HIDING_ESCAPE = /^(?:c|8|M|#8|[()*+]0)$/
/** Cursor up, to a line's start, to a column or place; insert, delete, scroll, back by tabs; answers, window, printer. */
const HIDING_FINALS = new Set('AFDGHf`dLMP@XSTrZucntix')
const RECTANGLES = new Set('rtvxz{')
/** Another screen and back, a width that clears the screen, reports of the mouse. */
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
      // Keyboard and mouse protocols have a prefix and the same final letters.
      return HIDING_FINALS.has(final) && (prefix === '' || final === 'c' || final === 'n')
  }
}

/** Attribute 8 hides the text behind it; as part of a colour, such as 38;5;8, it does not. */
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
