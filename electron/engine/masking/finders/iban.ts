import { countrySpecs, validateIBAN, ValidationErrorsIBAN } from 'ibantools'
import type { Found, Scan } from '../personal-data.ts'
import { isWordAt, isWordBefore } from './boundaries.ts'
import { BREAK } from './breaks.ts'
import { matchesOf } from './matches-of.ts'

const START = /[A-Z]{2}\d{2}(?=[ \u00a0=\r\n|<\t-]|[A-Z0-9])/gi
const SEPARATOR = new RegExp(`${BREAK.source}|[ \\u00a0\\n-]`, 'y')

/** With their country's length and a valid check sum, grouped or not. */
export function findIbans({ text }: Scan): Found[] {
  const found: Found[] = []
  let after = 0
  for (const { index } of matchesOf(text, START)) {
    if (index < after || isWordBefore(text, index)) continue
    const length = countrySpecs[text.slice(index, index + 2).toUpperCase()]?.chars
    const end = typeof length === 'number' ? endAfter(text, index, length) : undefined
    if (end === undefined || isWordAt(text, end)) continue
    if (!isIban(text.slice(index, end))) continue
    found.push({ start: index, end })
    after = end
  }
  return found
}

/** National check sums aren't always valid. */
function isIban(written: string): boolean {
  const { errorCodes } = validateIBAN(written.replaceAll(new RegExp(SEPARATOR, 'g'), '').toUpperCase())
  return errorCodes.every(
    (code) =>
      code === ValidationErrorsIBAN.WrongBBANFormat ||
      code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum,
  )
}

function endAfter(text: string, start: number, count: number): number | undefined {
  let index = start
  for (let read = 0; read < count;) {
    if (!/[A-Za-z0-9]/.test(text.charAt(index))) {
      SEPARATOR.lastIndex = index
      index += SEPARATOR.exec(text)?.[0].length ?? 0
      if (!/[A-Za-z0-9]/.test(text.charAt(index))) return undefined
    }
    read++
    index++
  }
  return index
}
