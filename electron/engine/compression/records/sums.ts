import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { valueOf } from '../../text/tree/json-document.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'

/** What can be added up over records: amounts, sizes and counts of things. */
const QUANTITY =
  /^(?:(?:sub)?totals?|amounts?|quantit(?:y|ies)|qty|counts?|sums?|sizes?|bytes|[kmgt]i?b|sales|sold|units|revenues?|turnover|income|profits?|costs?|spent|paid|payments?|expenses?|charges?|fees?|tax|debits?|credits?|wages?|salar(?:y|ies)|budget|requests|hits|commits|downloads|uploads|errors|failures|failed|passed|skipped|tests|assertions|warnings|checks|retries|restarts|calls|visits|visitors|views|users|members|employees|staff|population|deaths|cases|births|votes|clicks|sessions|events|orders|returns|refunds|rows|records|entries|files|lines|loc|words|pages|packets|messages|comments|additions|deletions|insertions|changes|wins|goals|stock|inventory|hours|minutes|seconds|betrag|summe|menge|anzahl|umsatz|kosten|montant|quantite|nombre|cantidad|importe|ventas|quantidade|quantita)$/
/** Measures of the same words that can't: means, shares, limits. */
const OTHER =
  /^(?:means?|avg|averages?|medians?|std|stddev|min|max|minimum|maximum|limits?|rates?|ratios?|pct|percent(?:age)?s?|shares?|per|ids?|index|rank|scores?|p\d\d)$/
const SIGN = /%|\/s\b/
/** One of the values may be the sum of the others. */
const NEARLY = 1e-6

/** Whether the sum of a column says something: its name is that of a quantity, and no value is already the sum. */
export function isAdditive(name: string, values: Float64Array, sum: number): boolean {
  if (SIGN.test(name)) return false
  const words = wordsOf(name.normalize('NFD').replace(/\p{M}/gu, '')).flatMap((word) => [
    word,
    ...partsOf(word),
  ])
  const lower = words.map((word) => word.toLowerCase())
  if (!lower.some((word) => QUANTITY.test(word)) || lower.some((word) => OTHER.test(word))) return false
  return !values.some((value) => value !== 0 && Math.abs(sum - 2 * value) <= NEARLY * Math.abs(value))
}

const DOTS = /^(?:\.{2,}|…|⋮)$/
const LEAST_DOTS = 2

/** Paths of lists that the text itself has only a part of: one of their records is all dots. */
export function excerptsIn({
  document,
  count,
  nodes,
  innerRecords,
  before,
  paths,
}: JsonLeaves): ReadonlySet<number> {
  const dotted = new Map<number, number>()
  for (let leaf = 0; leaf < count; leaf++) {
    const node = nodes[leaf] ?? 0
    const length = (document.stops[node] ?? 0) - (document.starts[node] ?? 0)
    const record = innerRecords[node] ?? -1
    if (length > 5 || record < 0 || !DOTS.test(valueOf(document, node))) continue
    dotted.set(record, (dotted.get(record) ?? 0) + 1)
  }
  const found = new Set<number>()
  for (const [record, dots] of dotted) {
    const size = (before[document.ends[record] ?? 0] ?? count) - (before[record] ?? 0)
    if (dots >= LEAST_DOTS && dots === size) found.add(paths[record] ?? 0)
  }
  return found
}
