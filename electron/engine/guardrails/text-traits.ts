import { INVISIBLE_RANGES } from './invisible-characters.ts'
import { LOOK_ALIKES } from './look-alikes.ts'
import { codesOf } from './text-codes.ts'

/** As bits, to skip searches. */
export const NOT_ASCII = 1 << 0
/** Except tab, LF and CR; CR alone matters only without LF. */
export const CONTROL = 1 << 1
export const CARRIAGE_RETURN = 1 << 2
export const INVISIBLE_UNIT = 1 << 3
/** High surrogate of possible supplementary invisible characters. */
export const INVISIBLE_PAIR = 1 << 4
export const LOOK_ALIKE = 1 << 5
/** Scripts without ASCII words, and neighbours. */
export const OTHER_SCRIPT = 1 << 6

const TRAITS = new Uint8Array(0x10000)
TRAITS.fill(NOT_ASCII, 0x80)
TRAITS.fill(NOT_ASCII | OTHER_SCRIPT, 0x400, 0x2000)
TRAITS.fill(NOT_ASCII | OTHER_SCRIPT, 0x2e80, 0xd800)
TRAITS.fill(NOT_ASCII | OTHER_SCRIPT, 0xf900)
const add = (trait: number, first: number, last: number): void => {
  for (let code = first; code <= last; code++) TRAITS[code] = (TRAITS[code] ?? 0) | trait
}
add(CONTROL, 0, 0x08)
add(CONTROL, 0x0b, 0x0c)
add(CARRIAGE_RETURN, 0x0d, 0x0d)
add(CONTROL, 0x0e, 0x1f)
add(CONTROL, 0x7f, 0x9f)
for (const [first, last] of INVISIBLE_RANGES) add(INVISIBLE_UNIT, first, last)
add(INVISIBLE_PAIR, 0xd834, 0xd834)
add(INVISIBLE_PAIR, 0xdb40, 0xdb40)
for (const letter of LOOK_ALIKES) add(LOOK_ALIKE, letter.charCodeAt(0), letter.charCodeAt(0))

let last = ''
let traitsOfLast = 0

/** In one pass. Detectors ask in turn of the same text. */
export function traitsOf(text: string): number {
  if (text === last) return traitsOfLast
  const codes = codesOf(text)
  let traits = 0
  for (let i = 0; i < text.length; i++) traits |= TRAITS[codes[i] ?? 0] ?? 0
  last = text
  traitsOfLast = traits
  return traits
}

/** Of a single unit. */
export const traitsOfCode = (code: number): number => TRAITS[code] ?? 0
