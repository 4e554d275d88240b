/** By country; each with the check that its authority publishes. */
export type NationalId =
  | 'at'
  | 'au'
  | 'be'
  | 'br'
  | 'ca'
  | 'ch'
  | 'cn'
  | 'de'
  | 'dk'
  | 'es'
  | 'fi'
  | 'fr'
  | 'gb'
  | 'in'
  | 'it'
  | 'jp'
  | 'kr'
  | 'mx'
  | 'nl'
  | 'no'
  | 'pl'
  | 'pt'
  | 'se'
  | 'tr'
  | 'za'

/** Whether letters and digits of this form are a number that the country can have given. */
export function isNationalId(id: NationalId, written: string): boolean {
  const compact = written.replace(/[ ./+-]/g, '').toUpperCase()
  // One digit again and again is a placeholder.
  return !/^(.)\1+$/.test(compact) && CHECKS[id](compact, written)
}

const digitsOf = (text: string): number[] => Array.from(text, Number)
const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(text.charAt(i)), 0)
const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31
const at = (text: string, from: number, length = 2): number => Number(text.slice(from, from + length))

function luhn(digits: string): boolean {
  const sum = digitsOf(digits)
    .toReversed()
    .reduce((all, digit, i) => all + (i % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2), 0)
  return sum % 10 === 0
}

/** ISO 7064, mod 11,10. */
function mod1110(digits: string): boolean {
  const product = digitsOf(digits.slice(0, -1)).reduce((before, digit) => {
    const sum = (digit + before) % 10 || 10
    return (sum * 2) % 11
  }, 10)
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** Verhoeff, 1969: the dihedral group of order 10. */
function verhoeff(digits: string): boolean {
  let check = 0
  digitsOf(digits)
    .toReversed()
    .forEach((digit, i) => {
      let value = digit
      for (let times = 0; times < i % 8; times++) value = PERMUTATION[value] ?? 0
      check = dihedral(check, value)
    })
  return check === 0
}
const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b - 5) % 5)
  return b < 5 ? 5 + ((a - 5 - b + 5) % 5) : (a - b + 5) % 5
}

const LETTERS_ES = 'TRWAGMYFPDXBNJZSQVHLCKE'
const LETTERS_FI = '0123456789ABCDEFHJKLMNPRSTUVWXY'
const LETTERS_MX = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
/** Decreto ministeriale 23 December 1976: values of characters in odd places. */
const ODD_IT = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Weights 7, 3, 1, as on travel documents. */
const card = (text: string): number =>
  Array.from(text).reduce((sum, sign, i) => sum + Number.parseInt(sign, 36) * ([7, 3, 1][i % 3] ?? 0), 0) % 10

const CHECKS: Readonly<Record<NationalId, (compact: string, written: string) => boolean>> = {
  at: (id) =>
    /^\d{10}$/.test(id) && weighted(id, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(id.charAt(3)),
  au: (id) =>
    (/^\d{9}$/.test(id) && weighted(id, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0) ||
    (/^[2-6]\d{9}\d?$/.test(id) && weighted(id, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(id.charAt(8))),
  be: (id) =>
    /^\d{11}$/.test(id) &&
    [0, 2_000_000_000].some((century) => 97 - ((century + Number(id.slice(0, 9))) % 97) === at(id, 9)),
  br: (id) =>
    /^\d{11}$/.test(id) &&
    ((weighted(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10 === Number(id.charAt(9)) &&
    ((weighted(id, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10 === Number(id.charAt(10)),
  ca: (id) => /^[1-79]\d{8}$/.test(id) && luhn(id),
  ch: (id) => /^756\d{10}$/.test(id) && weighted(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  cn: (id) =>
    /^\d{17}[\dX]$/.test(id) &&
    isDay(at(id, 10), at(id, 12)) &&
    '10X98765432'.charAt(weighted(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11) ===
      id.charAt(17),
  de: (id) =>
    (/^[1-9]\d{10}$/.test(id) && mod1110(id)) ||
    (/^[CFGHJKLMNPRTVWXYZ0-9]{9}\d$/.test(id) &&
      /\d/.test(id.slice(0, 9)) &&
      card(id.slice(0, 9)) === Number(id.charAt(9))),
  dk: (id) => /^\d{10}$/.test(id) && isDay(at(id, 2), at(id, 0)),
  es: (id) =>
    /^[XYZ\d]\d{7}[A-Z]$/.test(id) &&
    LETTERS_ES.charAt(
      Number(id.slice(0, 8).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))) % 23,
    ) === id.charAt(8),
  fi: (_, written) =>
    /^\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]$/.test(written) &&
    isDay(at(written, 2), at(written, 0)) &&
    LETTERS_FI.charAt(Number(written.slice(0, 6) + written.slice(7, 10)) % 31) === written.charAt(10),
  fr: (id) =>
    /^[12]\d{4}(?:\d{2}|2[AB])\d{8}$/.test(id) &&
    97 - Number(BigInt(id.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97n) === at(id, 13),
  gb: (id) =>
    /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(id) ||
    (/^\d{10}$/.test(id) && weighted(id, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0),
  in: (id) => /^[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]$/.test(id) || (/^[2-9]\d{11}$/.test(id) && verhoeff(id)),
  it: (id) => {
    if (!/^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/.test(id)) return false
    const sum = Array.from(id.slice(0, 15)).reduce((all, sign, i) => {
      const value = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65
      return all + (i % 2 === 0 ? (ODD_IT[value] ?? 0) : value)
    }, 0)
    return String.fromCharCode(65 + (sum % 26)) === id.charAt(15)
  },
  jp: (id) => {
    if (!/^\d{12}$/.test(id)) return false
    const rest = weighted(id, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
    return (rest <= 1 ? 0 : 11 - rest) === Number(id.charAt(11))
  },
  kr: (id) => /^\d{6}[1-8]\d{6}$/.test(id) && isDay(at(id, 2), at(id, 4)),
  mx: (id) =>
    /^[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d$/.test(id) &&
    (10 -
      (Array.from(id.slice(0, 17)).reduce((sum, sign, i) => sum + LETTERS_MX.indexOf(sign) * (18 - i), 0) %
        10)) %
      10 ===
      Number(id.charAt(17)),
  nl: (id) => /^\d{9}$/.test(id) && weighted(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  no: (id) =>
    /^\d{11}$/.test(id) &&
    weighted(id, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weighted(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  pl: (id) => /^\d{11}$/.test(id) && weighted(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  pt: (id) =>
    /^[1-3]\d{8}$/.test(id) &&
    [0, 1].some(
      (rest) => weighted(id, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === rest && (rest === 0 || id.endsWith('0')),
    ),
  se: (id) =>
    /^(?:19|20)?\d{10}$/.test(id) && isDay(at(id.slice(-10), 2), at(id.slice(-10), 4)) && luhn(id.slice(-10)),
  tr: (id) => {
    if (!/^[1-9]\d{10}$/.test(id)) return false
    const odd = weighted(id, [1, 0, 1, 0, 1, 0, 1, 0, 1])
    const even = weighted(id, [0, 1, 0, 1, 0, 1, 0, 1])
    const tenth = (((odd * 7 - even) % 10) + 10) % 10
    return tenth === Number(id.charAt(9)) && (odd + even + tenth) % 10 === Number(id.charAt(10))
  },
  za: (id) => /^\d{10}[01]\d{2}$/.test(id) && isDay(at(id, 2), at(id, 4)) && luhn(id),
}
