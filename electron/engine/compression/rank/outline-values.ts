import type { DocumentUnit } from '../../text/blocks/make-units.ts'

/** Longer texts are not compared. */
const LONGEST_REPEATED = 500

/** Values without a goal: headings by level, then the starts of sections and tables; less for each time that a text repeats. */
export function outlineValues(units: readonly DocumentUnit[]): Float64Array {
  const values = new Float64Array(units.length)
  let sinceHeading = 0
  let row = 0
  let sentence = 0
  let group = -1
  const seen = new Map<string, number>()
  units.forEach((unit, i) => {
    if (unit.group !== group) {
      row = 0
      sentence = 0
      group = unit.group
    }
    if (unit.isAside || isMarkup(unit.text)) return
    if (unit.role === 'heading') sinceHeading = 0
    const order = 0.1 * (1 - i / units.length)
    if (unit.role === 'heading') values[i] = 10 - unit.level
    else if (unit.role === 'caption' || unit.role === 'header') values[i] = 1.5
    else if (unit.role === 'row') values[i] = 0.6 / (1 + row++)
    else values[i] = 1 / (1 + sentence++) + 0.5 / (1 + sinceHeading++)
    values[i] = (values[i] ?? 0) + order
    if (unit.role === 'heading' || unit.text.length > LONGEST_REPEATED) return
    const times = (seen.get(unit.text) ?? 0) + 1
    seen.set(unit.text, times)
    values[i] = (values[i] ?? 0) / times
  })
  return values
}

/** A tag-only Markdown line isn't about the subject. */
const isMarkup = (text: string) => text.length < 300 && /^\s*<[^>]*>\s*$/.test(text)
