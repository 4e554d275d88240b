import type { DocumentUnit } from '../../text/blocks/make-units.ts'
import { quotedRepeats } from '../../text/blocks/quotes.ts'
import { liftFailing } from './failing-units.ts'

/** Longer texts are not compared. */
const LONGEST_REPEATED = 500

/** Of fields of a mail's head: its subject is a title, its date is told before whom it was sent to. */
const metaValue = (text: string): number =>
  text.startsWith('Subject:') ? 1.3 : text.startsWith('Date:') ? 0.8 : 0.2

/** Values without a goal: headings by level, then the starts of sections and tables; less for each time that a text repeats. */
export function outlineValues(units: readonly DocumentUnit[]): Float64Array {
  const values = new Float64Array(units.length)
  let sinceHeading = 0
  let row = 0
  let sentence = 0
  let group = -1
  const seen = new Map<string, number>()
  const repeats = quotedRepeats(units.map(({ text }) => text))
  units.forEach((unit, i) => {
    if (unit.group !== group) {
      row = 0
      sentence = 0
      group = unit.group
    }
    if (unit.isAside || isMarkup(unit.text) || repeats.has(i)) return
    if (unit.role === 'heading') sinceHeading = 0
    const order = 0.1 * (1 - i / units.length)
    if (unit.role === 'heading') values[i] = 10 - unit.level
    else if (unit.role === 'caption' || unit.role === 'header') values[i] = 1.5
    else if (unit.isMeta === true) values[i] = metaValue(unit.text)
    else if (unit.role === 'row') values[i] = 0.6 / (1 + row++)
    else values[i] = 1 / (1 + sentence++) + 0.5 / (1 + sinceHeading++)
    values[i] = (values[i] ?? 0) + order
    if (unit.role === 'heading' || unit.text.length > LONGEST_REPEATED) return
    const text = unit.isMeta === true ? unit.text.replace(ANSWER, '') : unit.text
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    values[i] = (values[i] ?? 0) / times
  })
  liftFailing(units, values)
  return values
}

/** "Re: ", "AW: Fwd: ". */
const ANSWER = /(?<=^Subject: ?)(?:\p{L}{2,4}: ?)+/u

/** A tag-only Markdown line isn't about the subject. */
const isMarkup = (text: string) => text.length < 300 && /^\s*<[^>]*>\s*$/.test(text)
