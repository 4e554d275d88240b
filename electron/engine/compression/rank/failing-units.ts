import type { DocumentUnit } from '../../text/blocks/make-units.ts'
import { FAILING, leadingLevel } from '../lines/severity.ts'

/** Above every heading for the first dozen. */
const FIRST = 10.5
const DETAIL = 0.3
const FADE = 12
/** Where more of a document fails, what fails is its subject. */
const SELDOM = 0.2
const FEW = 3
const SHORT = 400

/** Signs of a heading, of a list, of emphasis. */
const BEFORE = /^\s*(?:#+\s+)?(?:(?:[-+•]|\d+[.)])\s+)?[*_]*/
const CROSS = /^[✗✘✖✕❌]/u
const CROSSED_CELL = /[✗✘✖✕❌]/u

/** A report's entry that begins with a cross or a level, or its row with one. Examples in code may begin with a level. */
function fails({ text, role, isCode, isAside }: DocumentUnit): boolean {
  if (isAside || text.length > SHORT || role === 'header' || role === 'caption') return false
  if (role === 'row') return CROSSED_CELL.test(text)
  const content = text.replace(BEFORE, '')
  return (
    CROSS.test(content) || (isCode !== true && role === 'sentence' && (leadingLevel(content) ?? 0) >= FAILING)
  )
}

/** Without a goal: what few entries of a document say failed comes before its headings, with the lines below each. */
export function liftFailing(units: readonly DocumentUnit[], values: Float64Array): void {
  const failing = units.flatMap((unit, i) => (fails(unit) ? [i] : []))
  if (failing.length === 0 || failing.length > Math.max(FEW, SELDOM * units.length)) return
  const lifted = new Map<number, number>()
  for (const [n, i] of failing.entries()) lifted.set(i, FIRST / (1 + n / FADE))
  units.forEach(({ needs, role }, i) => {
    const own =
      lifted.get(i) ??
      (role === 'sentence'
        ? needs.reduce((most, need) => {
            const isEntry = units[need]?.role === 'sentence'
            return isEntry ? Math.max(most, (lifted.get(need) ?? 0) - DETAIL) : most
          }, 0)
        : 0)
    values[i] = Math.max(values[i] ?? 0, own)
  })
}
