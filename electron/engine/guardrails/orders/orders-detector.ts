import type { Finding, FindingKind, ImmediateDetector } from '../detector.ts'
import { joinPieces } from '../join-pieces.ts'
import { readText } from '../read-text.ts'
import { excerpt } from '../rules/excerpt.ts'
import { deedsOf } from './features.ts'
import { findOrders, type Order } from './find-orders.ts'
import type { OrderModel } from './order-model.ts'
import { readSentences, type SentenceReading } from './read-sentences.ts'
import { withoutSettingNames } from './setting-names.ts'
import { CONTROL, NOT_ASCII } from '../text-traits.ts'
import { DISGUISED } from './views.ts'

const NAME = 'orders'
const MOST_QUOTED = 120
const SPELLED_OTHERWISE = NOT_ASCII | CONTROL
/** Characters: less is read twice as fast. */
const SHORTEST = 2000

/** What the strongest deed of an order is called. */
const KINDS: readonly (readonly [FindingKind, string, RegExp])[] = [
  ['fake-role', 'pretends to come from another speaker than the data', /speaker|fake call/],
  ['override', 'tells the model to ignore its instructions', /^drop|void|new orders|obey|authority/],
  ['concealment', 'tells the model to keep something from its user', /^conceal/],
  ['persona', 'gives the model another role', /^persona/],
  ['prompt-leak', 'asks the model for its confidential instructions', /leak of yours/],
  ['exfiltration', 'tells the model to send data elsewhere', /leak|send out/],
  ['addresses-model', 'gives orders to the model that reads it', /model|who reads|consent|memory|steer/],
]

/**
 * Orders to the model in a text that is data: a logistic model over what its sentences say, in one pass for all
 * languages. Definitions address the model by nature, so they are not judged by it.
 */
export function createOrdersDetector(model: OrderModel, read = readText): ImmediateDetector {
  /** Of the last text that may be read in another spelling: the next one may be the same without what hides in it. */
  let last: SentenceReading | undefined
  const again = (text: string): SentenceReading | undefined => last && readSentences(text, model.words, last)
  const scan = (text: string): Finding[] => {
    const { traits, folded, payloads } = read(text)
    const isReadAgain = text.length >= SHORTEST && (traits & SPELLED_OTHERWISE) !== 0
    last = isReadAgain ? readSentences(text, model.words, last) : undefined
    let orders = findOrders(text, model, { reading: last })
    const plain = orders.length > 0 ? withoutSettingNames(text) : undefined
    if (plain !== undefined) orders = findOrders(plain, model, { reading: again(plain) })
    const found = orders.map((order) => toFinding(order, text, order))
    if (folded && folded.disguised >= DISGUISED)
      for (const order of findOrders(folded.text, model, {
        isDisguised: true,
        reading: again(folded.text),
      })) {
        // Only a sign was folded, as "：" to ":".
        if (
          found.some(({ reason }) => reason.normalize('NFKC') === toFinding(order, folded.text, order).reason)
        )
          continue
        const start = folded.originalIndex(order.start)
        found.push(
          toFinding(order, folded.text, { start, end: Math.max(start, folded.originalIndex(order.end)) }),
        )
      }
    for (const { start, end, encoding, text: decoded } of payloads) {
      const [order] = findOrders(decoded, model, { isDisguised: true })
      if (!order) continue
      const { score, reason } = toFinding(order, decoded, order)
      found.push({
        ...ORDER,
        kind: 'encoded-payload',
        score,
        start,
        end,
        reason: `in ${encoding}, ${reason}`,
      })
    }
    const joined = joinPieces(text)
    if (joined)
      for (const order of findOrders(joined.text, model)) {
        const end = joined.originalIndex(order.end - 1) + 1
        found.push(toFinding(order, joined.text, { start: joined.originalIndex(order.start), end }))
      }
    return found
  }
  return { name: NAME, scanText: scan, scanDefinition: () => [] }
}

/** Between a key of JSON and its value. */
const BEFORE_VALUE = /^[\s":,]+/

/** Orders are not independent of each other: the most probable counts. */
const ORDER = { detector: NAME, rule: 'order' } as const

function toFinding(
  { start, end, probability, features }: Order,
  text: string,
  place: { readonly start: number; readonly end: number },
): Finding {
  const deeds = deedsOf(features)
  const [kind, what] = KINDS.find(([, , pattern]) => deeds.some((deed) => pattern.test(deed))) ?? OTHER
  const quoted = excerpt(text.slice(start, end).replace(BEFORE_VALUE, ''), MOST_QUOTED)
  return {
    ...ORDER,
    kind,
    score: probability,
    start: place.start,
    end: place.end,
    reason: `${what}: "${quoted}"`,
  }
}

const OTHER: readonly [FindingKind, string] = ['reads-like-an-attack', 'reads like an order to the model']
