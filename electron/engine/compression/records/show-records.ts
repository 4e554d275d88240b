import type { Reading } from '../../text/readers/reading.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { findLeaves } from '../../text/tree/find-leaves.ts'
import { timesIn } from '../rank/asked-times.ts'
import { goalFor } from '../rank/asked-lack.ts'
import type { StrategyOutput } from '../strategy.ts'
import { sayOmitted } from '../tree/say-omitted.ts'
import { costOrder, fitPrefix } from './fit-prefix.ts'
import { createLeafTexts } from './leaf-texts.ts'
import { listKeys, rankKeys } from './list-keys.ts'
import { listNames } from './list-names.ts'
import { orderItems } from './order.ts'
import { prepareFeatures, scoreItems } from './rank-records.ts'
import { readRecords } from './read-records.ts'
import { scoreOutline } from './score-outline.ts'
import { statisticsOf } from './statistics.ts'

/** First token reserve for what is said of omissions. */
const RESERVE = 20
const ATTEMPTS = 4
const SIGNS = 4
/** Worth of tokens where less is said for lack of room. */
const SQUEEZED = 0.93
/** Off the score for a path's earlier values. */
const REPEAT = { goal: 0.5, outline: 1 } as const
/** Shares of the budget. */
const STATISTICS = { goal: 0.05, each: 0.3, outline: 0.2 } as const
const KEYS = { ofJson: 0.5, ofObject: 0.35, ofRecords: 0.25, ofNamed: 0.08 } as const
const NAMES = { ofJson: 0.1, ofOthers: 0.25 } as const
const HEADED: ReadonlySet<string> = new Set(['key-values', 'stanzas'])
/** Fewer records make one object. */
const FEW = 3
/** A column's share of the goal's weight in names, to be described. */
const NAMED = 0.3

/** The leaves that fit the goal best, or an outline, below what names them. All with what is said is in `budget`. */
export function showRecords(
  reading: Reading,
  goal: string | undefined,
  budget: number,
): StrategyOutput | undefined {
  const { document } = reading
  const leaves = findLeaves(document, reading.format === 'json', timesIn(goal))
  const read = readRecords(leaves)
  const { items, columns, naming } = read
  const query = goal === undefined ? undefined : goalFor(goal, leaves)
  const input = query && prepareFeatures(read, query, reading.comments)
  const scores = input ? scoreItems(input) : scoreOutline(read, reading.commentedOut)
  const kind = input ? 'goal' : 'outline'
  const isTally = query?.asksForEach === true
  const wants = (path: number): boolean =>
    !input || input.evidence.inNames(input.evidence.names[path] ?? 0) >= (isTally ? NAMED / 3 : NAMED)
  const share = STATISTICS[isTally ? 'each' : kind]
  let statistics = statisticsOf(leaves, columns, Math.floor(budget * share), wants, isTally)
  const texts = createLeafTexts(reading, items)

  let nameTokens = Math.floor(budget * (reading.format === 'json' ? NAMES.ofJson : NAMES.ofOthers))
  const allNames = input ? '' : listNames(leaves, naming, [], nameTokens)
  const ofKeys =
    leaves.records.length < FEW
      ? reading.format === 'json'
        ? 'ofJson'
        : 'ofObject'
      : allNames === '' || reading.format === 'json'
        ? 'ofRecords'
        : 'ofNamed'
  let keyTokens = Math.floor(budget * KEYS[ofKeys])
  let reserve = RESERVE + countTokens(statistics) + countTokens(allNames) + (input ? 0 : keyTokens)
  const keys = input ? [] : rankKeys(leaves)
  const order = costOrder(
    orderItems({
      ...read,
      scores,
      isAsked: input !== undefined,
      isTable: reading.format === 'table',
      isHeaded: HEADED.has(reading.format),
      repeat: REPEAT[kind],
    }),
    items,
    texts,
  )
  let best: StrategyOutput | undefined
  let bestWorth = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const shown = fitPrefix({ items, order, budget: budget - reserve, reading, texts })
    if (shown === undefined) {
      if (statistics === '' && keyTokens === 0 && nameTokens === 0) break
      // Values before what is said of them.
      statistics = ''
      keyTokens = 0
      nameTokens = 0
      reserve = RESERVE
      continue
    }
    const left = sayOmitted(leaves, shown.chosen, {
      shortened: shown.shortened,
      isJson: reading.format === 'json',
    })
    const describe = (room: number): string | undefined => {
      // A complete text needs no description.
      if (left === '') return undefined
      const names = input ? '' : listNames(leaves, naming, shown.chosen, Math.min(nameTokens, room))
      const keyRoom = Math.min(keyTokens, room - countTokens(names))
      const others = input ? '' : listKeys(leaves, keys, shown.chosen, keyRoom, reading.format)
      return [left, statistics, names, others].filter((part) => part !== '').join('. ')
    }
    let omitted = describe(Infinity)
    const omittedTokens = countTokens(omitted ?? '')
    let tokens = shown.tokens + omittedTokens
    let worth = tokens
    if (tokens > budget && left !== '') {
      omitted = describe(budget - shown.tokens - countTokens(`${left}. ${statistics}`) - SIGNS)
      tokens = shown.tokens + countTokens(omitted ?? '')
      worth = tokens * SQUEEZED
    }
    if (tokens <= budget && worth > bestWorth) {
      best = { text: shown.text, omitted }
      bestWorth = worth
      if (input || (worth === tokens && reserve - omittedTokens < 0.05 * budget)) break
    }
    reserve = omittedTokens + 2
  }
  return best
}
