import units from '../../../../resources/words/units.json' with { type: 'json' }
import { factorOf } from '../../text/words/units.ts'
import { isUnspaced, type Language, ORDERS, patternOf, wordSet } from '../../text/words/word-lists.ts'

/** What kind of value a question asks for. */
const TYPES = ['number', 'date', 'name', 'path', 'version', 'address', 'reason', 'default'] as const
export type AskedType = (typeof TYPES)[number]

/** The end of an order: "slowest", "newest", "first". */
export interface AskedOrder {
  readonly end: 'min' | 'max'
  /** 'number' are measures, 'date' points in time, 'place' either dates or the position in the result. */
  readonly of: 'number' | 'date' | 'place'
  /** False where the other end may be meant: "best", "fastest". */
  readonly isCertain: boolean
}

/** Of dates, or of places in the result. */
export const isInTime = (order: AskedOrder | undefined): boolean =>
  order !== undefined && order.of !== 'number'

/** "more than 500", "at most 2". */
export interface Comparison {
  readonly operator: '>' | '<' | '>=' | '<=' | '='
  readonly value: number
  /** Of time or size, as written behind the number: "ms", "minutes". */
  readonly unit?: string
}

/** `factor`: of the values' unit; plain numbers have none. */
export function isBeyond(value: number, comparison: Comparison, factor?: number): boolean {
  const { operator } = comparison
  const own = factor === undefined ? undefined : factorOf(comparison.unit ?? '')
  const limit =
    own === undefined || factor === undefined ? comparison.value : (comparison.value * own) / factor
  if (operator === '>') return value > limit
  if (operator === '<') return value < limit
  if (operator === '=') return value === limit
  return operator === '>=' ? value >= limit : value <= limit
}

export interface Intent {
  readonly order: AskedOrder | undefined
  readonly comparisons: readonly Comparison[]
  readonly askedTypes: ReadonlySet<AskedType>
  /** Words of names and units that columns of the asked measure have: slow → ms, duration, latency … */
  readonly unitWords: ReadonlySet<string>
  /** "unusual", "rather than", "outlier". */
  readonly asksForOddity: boolean
  readonly speaksOfTrouble: boolean
  /** "Expense", "loss", "drop": amounts below zero, where there are any. */
  readonly asksForOutgoing: boolean
  /** "How many per licence": a count for each value of a field. */
  readonly asksForEach: boolean
  /** "on the same node as web": a value that another record has, too. */
  readonly asksForSame: boolean
  /** "before", "after", "next": the answer is adjacent. */
  readonly asksForNeighbour: boolean
}

/** What a goal asks for beside its words; `folded` are all its words, `text` is lower-case. */
export function readIntent(text: string, folded: readonly string[], language: Language): Intent {
  const spaced = ` ${folded.join(' ')} `
  const languages = language === 'en' ? ['en'] : [language, 'en']
  const says = (role: string): boolean =>
    languages.some((each) => patternOf(each, role)?.test(isUnspaced(each) ? text : spaced) === true)
  const comparisons = /\d/.test(text) ? comparisonsIn(text, languages) : []
  return {
    order: orderOf(says, folded),
    comparisons,
    askedTypes: new Set(TYPES.filter(says)),
    unitWords: unitWordsOf(spaced),
    asksForOddity: says('odd'),
    speaksOfTrouble: says('trouble'),
    asksForOutgoing: says('outgoing'),
    asksForEach: says('each'),
    asksForSame: says('same'),
    asksForNeighbour: says('neighbour'),
  }
}

function orderOf(says: (role: string) => boolean, folded: readonly string[]): AskedOrder | undefined {
  const isDate = says('newest') || says('oldest')
  const least = says('least') && !says('atleast')
  const isLow = says('low') || least || says('oldest')
  const isMost = (says('most') && !isLow) || folded.some(isSuperlative)
  const isHigh = says('high') || says('newest') || isMost
  const isCertain = !says('unsure') && !(isLow && isHigh)
  if (isLow || isHigh)
    return {
      end: isHigh && isCertain ? 'max' : isLow ? 'min' : 'max',
      of: isDate ? 'date' : 'number',
      isCertain,
    }
  if (says('unsure')) return { end: 'max', of: 'number', isCertain: false }
  if (says('last')) return { end: 'max', of: 'place', isCertain: !says('first') }
  return says('first') ? { end: 'min', of: 'place', isCertain: true } : undefined
}

/** Of any adjective: "steepest". Listed words with an opposite or a date are no maximum; some only end so. */
const isSuperlative = (word: string): boolean =>
  /^[a-z]{2,}est$/.test(word) &&
  !wordSet('en', 'est').has(word) &&
  !ORDERS.some((role) => patternOf('en', role)?.test(` ${word} `) === true)

/** Whether a folded word of the goal names an order: where values can be ordered, it isn't searched as a word. */
export function namesOrder(word: string, language: Language): boolean {
  const spaced = ` ${word} `
  return (
    isSuperlative(word) ||
    ORDERS.some((role) => patternOf('en', role)?.test(spaced) === true) ||
    (language !== 'en' &&
      ORDERS.some((role) => patternOf(language, role)?.test(isUnspaced(language) ? word : spaced) === true))
  )
}

const OPERATORS = [
  ['above', '>'],
  ['below', '<'],
  ['atleast', '>='],
  ['atmost', '<='],
] as const

const UNIT = /^\s?([a-zµμ]{1,12})(?![a-z])/

function comparisonsIn(text: string, languages: readonly Language[]): Comparison[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  const found: Comparison[] = []
  const add = (operator: Comparison['operator'], number: string | undefined, unit?: string) => {
    const value = Number(number?.replaceAll(',', ''))
    if (number !== undefined && Number.isFinite(value))
      found.push(unit === undefined ? { operator, value } : { operator, value, unit })
  }
  for (const [role, operator] of OPERATORS)
    for (const language of languages) {
      const body = patternOf(language, role)?.source.replace(/^\(\?<= \)|\(\?= \)$/g, '')
      if (body === undefined) continue
      const before = isUnspaced(language) ? '' : String.raw`(?<![\p{L}\p{N}])`
      const amount = String.raw`(?:${body})\s*(?:\p{L}{1,12}\s+)?[$\u20ac£]?\s?(\d[\d,]*(?:\.\d+)?)`
      const source = isUnspaced(language) ? `${amount}|(\\d[\\d,]*).{0,2}(?:${body})` : before + amount
      const match = new RegExp(source, 'u').exec(isUnspaced(language) ? text : plain)
      const number = match?.[1] ?? match?.[2]
      const after = match === null ? undefined : UNIT.exec(match.input.slice(match.index + match[0].length))
      add(operator, number, factorOf(after?.[1] ?? '') === undefined ? undefined : after?.[1])
    }
  for (const match of plain.matchAll(/([<>]=?|[≤≥])\s*(\d[\d,]*(?:\.\d+)?)/g)) {
    const sign = match[1] ?? ''
    add(
      sign === '≤' ? '<=' : sign === '≥' ? '>=' : sign === '>' || sign === '<' || sign === '>=' ? sign : '<=',
      match[2],
    )
  }
  return found
}

const dimensions = Object.values(units).map(({ asked, units: words }) => ({
  asked: new RegExp(`(?<= )(?:${asked.replaceAll(String.raw`\w`, '[^ ]')})(?= )`, 'u'),
  words: words.split(' '),
}))

function unitWordsOf(spaced: string): Set<string> {
  return new Set(dimensions.flatMap(({ asked, words }) => (asked.test(spaced) ? words : [])))
}
