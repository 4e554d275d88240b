import { INVISIBLE, invisibleWidth, isLawful, isScopeCharacter } from './invisible-characters.ts'
import { lineFacts, type LineFacts } from './line-facts.ts'
import { originalIndex } from './original-index.ts'
import { terminalSequenceLength } from './terminal-sequences.ts'
import { codesOf } from './text-codes.ts'
import {
  CARRIAGE_RETURN,
  CONTROL,
  INVISIBLE_PAIR,
  INVISIBLE_UNIT,
  traitsOf,
  traitsOfCode,
} from './text-traits.ts'

/** strip removes, visualise marks, keep passes. */
export type ControlCharacterMode = 'strip' | 'visualise' | 'keep'

// oxlint-disable-next-line no-control-regex -- looking for control characters is the purpose
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/
const SUSPICIOUS = new RegExp(`${CONTROLS.source}|${INVISIBLE.source}`)

/** Fast check before `cleanText`. */
export function mayHoldControlCharacters(text: string): boolean {
  const traits = traitsOf(text)
  if ((traits & (CONTROL | INVISIBLE_UNIT)) !== 0) return true
  return (traits & (CARRIAGE_RETURN | INVISIBLE_PAIR)) !== 0 && SUSPICIOUS.test(text)
}

/**
 * Removes or marks terminal control sequences, direction overrides and unneeded invisible characters. Lone CR, form
 * feed and NEL become line breaks, so that overwritten text stays readable. Arabic, Hebrew, Indic, emoji sequences,
 * flags, tabs, LF and CRLF pass.
 */
export function cleanText(text: string, mode: ControlCharacterMode): string {
  if (mode === 'keep' || !mayHoldControlCharacters(text)) return text
  return mode === 'strip' ? stripText(text).text : cleanOnce(text, mode)
}

export interface StrippedText {
  readonly text: string
  /** Of a character of `text`. */
  originalIndex(index: number): number
}

/** Like `cleanText` with `strip`. */
export function stripText(text: string): StrippedText {
  // Removal may invalidate neighbours or join halves of a sequence.
  const rounds: number[][] = []
  let clean = text
  for (let before: string | undefined; clean !== before && rounds.length < MOST_ROUNDS;) {
    const jumps: number[] = []
    before = clean
    clean = cleanOnce(before, 'strip', jumps)
    rounds.push(jumps)
  }
  return {
    text: clean,
    originalIndex: (index) => rounds.reduceRight((at, jumps) => originalIndex(jumps, at), index),
  }
}

/** Each round removes something. */
const MOST_ROUNDS = 8

/** `jumps`: see original-index.ts. */
function cleanOnce(text: string, mode: ControlCharacterMode, jumps?: number[]): string {
  if (!mayHoldControlCharacters(text)) return text
  const pieces: string[] = []
  const lines = lineFacts(text)
  const codes = codesOf(text)
  const { length } = text
  let kept = 0
  let written = 0
  let i = 0
  for (;;) {
    while (i < length && (traitsOfCode(codes[i] ?? 0) & EXAMINED) === 0 && codes[i + 1] !== BACKSPACE) i++
    if (i === length) break
    const step = examine(text, i, lines, mode)
    if (step.replacement !== undefined) {
      if (kept < i) pieces.push(text.slice(kept, i))
      pieces.push(step.replacement)
      written += i - kept + step.replacement.length
      kept = i + step.length
      if (step.replacement.length !== step.length) jumps?.push(written, kept)
    }
    i += step.length
  }
  if (kept === 0) return text
  pieces.push(text.slice(kept))
  return pieces.join('')
}

/** Others stay, but for one before a backspace. */
const EXAMINED = CONTROL | CARRIAGE_RETURN | INVISIBLE_UNIT | INVISIBLE_PAIR
const BACKSPACE = 0x08

interface Step {
  readonly length: number
  /** Undefined: the characters stay. */
  readonly replacement?: string
}

const STAY: Step = { length: 1 }

function examine(text: string, i: number, lines: LineFacts, mode: ControlCharacterMode): Step {
  const code = text.charCodeAt(i)
  const visible = mode === 'visualise'
  if (code >= 0x20 && code < 0x7f)
    return !visible && isOverstruck(text, i) ? { length: 2, replacement: '' } : STAY
  if (code === 0x0a || code === 0x09) return STAY
  if (code < 0xa0) return examineControl(text, i, code, visible)
  const width = invisibleWidth(text, i)
  if (width === 0) return STAY
  const lawful = isScopeCharacter(code) ? !lines.scopeIsUnlawful(i) : isLawful(text, i, () => lines.hasRtl(i))
  if (lawful) return { length: width }
  if (visible && code === 0xdb40) return visibleTags(text, i)
  return { length: width, replacement: visible ? visibleName(text.codePointAt(i) ?? code) : '' }
}

/** Manual pages overstrike letters for bold or underline; removes the first one. */
function isOverstruck(text: string, i: number): boolean {
  if (text.charCodeAt(i + 1) !== 0x08) return false
  return text.charAt(i) === '_' || text.charAt(i) === text.charAt(i + 2)
}

function examineControl(text: string, i: number, code: number, visible: boolean): Step {
  if (code === 0x0d) {
    const next = text.charCodeAt(i + 1)
    if (next === 0x0a) return STAY
    if (visible) return { length: 1, replacement: '␍' }
    // Alone it overwrites the line; before another it does nothing.
    return { length: 1, replacement: next === 0x0d ? '' : '\n' }
  }
  if (visible) return { length: 1, replacement: code === 0x85 ? '⟨NEL⟩' : picture(code) }
  if (code === 0x0b || code === 0x0c || code === 0x85) return { length: 1, replacement: '\n' }
  return { length: Math.max(1, terminalSequenceLength(text, i)), replacement: '' }
}

const picture = (code: number): string => {
  if (code === 0x7f) return '␡'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : visibleName(code)
}

const NAMES = new Map([
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0xfeff, 'BOM'],
  [0xad, 'SHY'],
])

const visibleName = (code: number): string =>
  `⟨${NAMES.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`

function visibleTags(text: string, from: number): Step {
  let i = from
  let shown = ''
  while (text.charCodeAt(i) === 0xdb40 && text.charCodeAt(i + 1) < 0xdc80) {
    const code = (text.codePointAt(i) ?? 0) - 0xe0000
    if (code >= 0x20 && code < 0x7f) shown += String.fromCharCode(code)
    i += 2
  }
  if (i === from) return { length: 2, replacement: visibleName(text.codePointAt(from) ?? 0) }
  return { length: i - from, replacement: `⟨tags: ${shown}⟩` }
}
