const ESC = 0x1b
const BEL = 0x07

/**
 * ESC or C1 forms of ECMA-48. Command strings (OSC, DCS, APC, PM, SOS) end at BEL, ST or an invalid control
 * character; unterminated, only their introducer counts, to lose no readable text. Single pass.
 */
export function terminalSequenceLength(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code >= 0x80 && code <= 0x9f) return sequenceBody(text, index, index + 1, code - 0x40)
  if (code !== ESC) return 0
  const next = text.charCodeAt(index + 1)
  return next >= 0x40 && next <= 0x5f ? sequenceBody(text, index, index + 2, next) : escapeLength(text, index)
}

/** `kind`: second byte of the seven-bit form: [ for CSI, ] for OSC, etc. */
function sequenceBody(text: string, start: number, bodyStart: number, kind: number): number {
  if (kind === 0x5b) return controlSequenceEnd(text, bodyStart) - start
  const isString = kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f
  return isString ? commandStringEnd(text, bodyStart) - start : bodyStart - start
}

/** CSI: parameter, intermediate and final bytes. A malformed one ends before the first invalid byte. */
function controlSequenceEnd(text: string, from: number): number {
  let i = from
  while (inRange(text.charCodeAt(i), 0x30, 0x3f)) i++
  while (inRange(text.charCodeAt(i), 0x20, 0x2f)) i++
  return inRange(text.charCodeAt(i), 0x40, 0x7e) ? i + 1 : from
}

function commandStringEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BEL || code === 0x9c) return i + 1
    if (code === ESC && text.charCodeAt(i + 1) === 0x5c) return i + 2
    if (code === ESC || code === 0x0a || (code >= 0x80 && code <= 0x9f)) return from
  }
  return from
}

/** ESC, intermediate bytes, final byte: e.g. ESC ( B, which selects a character set. */
function escapeLength(text: string, index: number): number {
  let i = index + 1
  while (inRange(text.charCodeAt(i), 0x20, 0x2f)) i++
  return inRange(text.charCodeAt(i), 0x30, 0x7e) ? i + 1 - index : 1
}

const inRange = (code: number, low: number, high: number): boolean => code >= low && code <= high
