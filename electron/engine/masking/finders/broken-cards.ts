import type { Found } from '../personal-data.ts'
import { BREAK, CELL_BREAK } from './breaks.ts'
import { isBrokenCard, isLabelledAsCard } from './credit-card.ts'
import { matchesOf } from './matches-of.ts'

const REACH = 32
const BETWEEN = new RegExp(String.raw`\d(?:${BREAK.source})(?=\d)`, 'g')
/** Digits before a line break that may be the first part of a card number. */
const BEFORE = /(?<![\w.,:/$]|\d[ -])(?:\d{4}(?:[ -]\d{4}){0,2}|\d{4}[ -]\d{6})$/
const BEHIND = /^(?:\d{4}(?:[ -]\d{4}){0,2}(?:[ -]\d{1,3})?|\d{6}[ -]\d{4,5}|\d{5})(?![\w%]|[.,:/ -]\d)/
const ANY_BEFORE = /(?<![\w.,:/$]|\d[ -])\d[\d -]{0,22}$/
const ANY_BEHIND = /^[\d -]{0,22}\d(?!\w|[.,:/ -]\d)/
/** Rows and columns of figures. */
const FIGURE_BEFORE = /\d[\s>|]*$/
const FIGURE_BEHIND = /^[\s>|]*\d/
/** A row of cells of four digits each. */
const CELLS = new RegExp(String.raw`(?<!\d)\d{4}(?:${CELL_BREAK.source}\d{4}){3}(?!\d)`, 'g')

/** Cards of which a part is in the next line or cell. */
export function findBrokenCards(text: string): Found[] {
  const found: Found[] = []
  for (const { index: at, 0: match } of matchesOf(text, BETWEEN)) {
    const index = at + 1
    const written = match.slice(1)
    const goesOn = written.includes('=')
    const end = index + written.length
    const before = (goesOn ? ANY_BEFORE : BEFORE).exec(text.slice(Math.max(0, index - REACH), index))?.[0]
    if (before === undefined) continue
    const behind = (goesOn ? ANY_BEHIND : BEHIND).exec(text.slice(end, end + REACH))?.[0]
    if (behind === undefined || (before.length === 4 && behind.length === 4)) continue
    const place = { start: index - before.length, end: end + behind.length }
    if (FIGURE_BEFORE.test(text.slice(Math.max(0, place.start - REACH), place.start))) continue
    if (FIGURE_BEHIND.test(text.slice(place.end, place.end + REACH))) continue
    if (isBrokenCard([before, behind], goesOn)) found.push(place)
  }
  for (const { index, 0: written } of matchesOf(text, CELLS))
    if (isLabelledAsCard(text, index) && isBrokenCard(written.split(CELL_BREAK)))
      found.push({ start: index, end: index + written.length })
  return found.sort((a, b) => a.start - b.start)
}
