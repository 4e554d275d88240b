/**
 * How labels are written down once for all their spellings. A blank is any join of words or none, `~` a join that must
 * be there, `#` a word for number behind the noun, `N ` in front one before it, and `*` in front lets other words be
 * joined there, as in compounds. `( )?` may be missing, `|` separates. Diacritics may be missing or written in two letters.
 */

/** How a number is called where its noun follows. */
const NUMBER_BEFORE = [
  'número',
  'numéro',
  'numero',
  'num',
  'n°',
  'nº',
  'n.º',
  'n.°',
  'nro',
  'numer',
  'номер',
  '№',
]
const NUMBER_AFTER = 'nummer|number|numero|num|nr|no|id|kennung|kennziffer|kennzeichen'
const SIGNS = [' ', '_', '-', '.', '\u00a0']
const JOIN = String.raw`[ \u00a0_.-]{0,2}`
const MUST_JOIN = String.raw`[ \u00a0_-]`
/** Beside the letter without its mark. */
const IN_TWO: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  ё: 'е',
  ł: 'l',
  ı: 'i',
}
const MARKED = /[\u00c0-\u024f\u0451]/

/** The phrases of a list, those with a number in front by each word for it. */
export const spelled = (list: string): string[] =>
  alternatives(list).flatMap((phrase) =>
    phrase.startsWith('N ')
      ? [
          ...NUMBER_BEFORE.map((word) => `${word}${phrase.slice(1)}`),
          // "no" begins other words.
          ...['nr.', 'no.'].map((word) => `${word}~${phrase.slice(2)}`),
        ]
      : [phrase],
  )

export const patternOf = (phrase: string): string =>
  Array.from(phrase, (sign) => {
    if (sign === ' ') return JOIN
    if (sign === '~') return MUST_JOIN
    if (sign === '#') return String.raw`(?:(?:${NUMBER_AFTER})(?![a-z])\.?)`
    if (sign === '.') return String.raw`\.?`
    const variants = variantsOf(sign)
    return variants.length === 1 ? sign : `(?:${variants.join('|')})`
  }).join('') + (/[a-z)?]$/.test(phrase) ? '(?![a-z])' : '')

function variantsOf(letter: string): string[] {
  if (!MARKED.test(letter) && !(letter in IN_TWO)) return [letter]
  const bare = letter.normalize('NFD').charAt(0)
  const inTwo = IN_TWO[letter]
  return [...new Set([letter, ...(inTwo === undefined ? [] : [inTwo]), bare])]
}

/** All ways in which a phrase may begin, in small letters. */
export function firstLetters(phrase: string, count: number): Set<string> {
  if (count <= 0 || phrase === '') return new Set([''])
  const sign = phrase.charAt(0)
  const rest = phrase.slice(1)
  if (sign === '(') {
    const close = closing(phrase)
    const isOptional = phrase.charAt(close + 1) === '?'
    const behind = phrase.slice(close + (isOptional ? 2 : 1))
    const inner = alternatives(phrase.slice(1, close)).map((each) => each + behind)
    return union([...inner, ...(isOptional ? [behind] : [])].map((each) => firstLetters(each, count)))
  }
  if (sign === '#') return firstLetters(`(${NUMBER_AFTER})${rest}`, count)
  const isOptional = rest.startsWith('?')
  const behind = isOptional ? rest.slice(1) : rest
  const letters = sign === ' ' || sign === '~' ? SIGNS : variantsOf(sign)
  const after = letters.flatMap((letter) =>
    [...firstLetters(behind, count - letter.length)].map((more) => (letter + more).slice(0, count)),
  )
  const two =
    sign === ' ' && count > 1
      ? ['. ', '.-'].flatMap((signs) => [...firstLetters(behind, count - 2)].map((more) => signs + more))
      : []
  const isMissing = isOptional || sign === ' ' || sign === '.'
  return union([new Set(after.concat(two)), ...(isMissing ? [firstLetters(behind, count)] : [])])
}

const union = (sets: readonly ReadonlySet<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]))

/** Parts between `|`, but for those in brackets. */
function alternatives(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= list.length; i++) {
    const sign = list.charAt(i)
    if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (i === list.length || (sign === '|' && depth === 0)) {
      parts.push(list.slice(from, i))
      from = i + 1
    }
  }
  return parts
}

function closing(phrase: string): number {
  let depth = 0
  for (let i = 0; i < phrase.length; i++) {
    if (phrase.charAt(i) === '(') depth++
    if (phrase.charAt(i) === ')' && --depth === 0) return i
  }
  return phrase.length
}
