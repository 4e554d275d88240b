import { type Mark, markBit } from './marks.ts'
import { AT, type Sentence, SLASH, UNDERSCORE } from './sentences.ts'

/** Each with the signs of which its texts hold one; 0: any text may. */
const PATTERNS: readonly (readonly [Mark, number, RegExp])[] = [
  ['url', SLASH, /\bhttps?:\/\//i],
  ['url', 0, /\bwww\.|\b(?:\d{1,3}\.){3}\d{1,3}\b/],
  ['email', AT, /[\w.+-]@[\w-]+\.\w/],
  ['path', SLASH, /~\/\.|\/etc\//],
  ['path', 0, /\.env\b|\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.netrc|\.npmrc|passwd/],
  ['placeholder', 0, /[?&=/][\w-]*[{<[$#(]|\{\{|!\[[^\]]{0,80}\]\(/],
  [
    'shell',
    0,
    /\bcurl\b|\bwget\b|\|\s{0,4}(?:ba)?sh\b|\brm -rf\b|\bsudo\b|\bnc -|\bchmod\b|\bpip install\b|\bgit push\b|\bpowershell\b/,
  ],
  ['snake', UNDERSCORE, /[a-z]_[a-z]/],
]
const QUOTE = /["'“‘`«]\s*$/
const QUOTED = /^\s*["'“‘`«]|["'”’`»]\s*$/
const COMMENT = /(?:^|\s)(?:\/\/|#|\/\*|<!--|\*|--|;|%|REM)\s*$/
const COMMENTED = /^\s*(?:\/\/|#|\/\*|<!--|\*|--)/
const AHEAD = 30

/** The marks that take a closer look, for sentences that may give an order. */
export function closerMarks(text: string, { start, end, signs }: Sentence): number {
  const raw = text.slice(start, end)
  const ahead = text.slice(Math.max(0, start - AHEAD), start)
  const before = ahead.slice(ahead.lastIndexOf('\n') + 1)
  let marks = 0
  for (const [mark, needed, pattern] of PATTERNS)
    if ((needed === 0 || (signs & needed) !== 0) && pattern.test(raw)) marks |= markBit(mark)
  if (QUOTED.test(raw) || QUOTE.test(before)) marks |= markBit('quoted')
  if (COMMENTED.test(raw) || COMMENT.test(before)) marks |= markBit('comment')
  return marks >>> 0
}
