import { mayHoldControlCharacters, stripText, type StrippedText } from './control-characters.ts'
import type { Finding, ImmediateDetector } from './detector.ts'
import { createClassifier } from './classifier.ts'
import type { GuardModels } from './guard-models.ts'
import { createOrdersDetector } from './orders/orders-detector.ts'
import { judge, type ScanVerdict } from './judge.ts'
import { readText } from './read-text.ts'
import { createRulesDetector } from './rules.ts'
import type { PlacedText } from './texts-in.ts'

export type ScanText = (text: string) => ScanVerdict

export function createBuiltInDetectors(models: GuardModels): readonly ImmediateDetector[] {
  const read = answerAgain(readText)
  const orders = createOrdersDetector(models.orders, read)
  const classifier = createClassifier(models.classifier, read)
  const ordersIn = answerAgain(orders.scanText)
  const isOrder = (text: string): boolean => orders.scanText(text).some(({ score }) => score >= HIDDEN_ORDER)
  return [
    createRulesDetector(isOrder, read),
    { ...orders, scanText: ordersIn },
    // Without an order to support it decides nothing.
    { ...classifier, scanText: (text) => scanNear(text, ordersIn(text), classifier.scanText) },
  ]
}

/** Of a message that is shown to no reader. */
const HIDDEN_ORDER = 0.3

/** Characters before and behind an order that its support may come from: the strongest place anywhere grows with a text's length. */
const NEAR = 2_000

/** Of the parts of `text` that are near `places`. */
export function scanNear(text: string, places: readonly Place[], scan: TextScan): Finding[] {
  const parts: { start: number; end: number }[] = []
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const part = { start: Math.max(0, start - NEAR), end: Math.min(text.length, end + NEAR) }
    const last = parts.at(-1)
    if (last && part.start <= last.end) last.end = Math.max(last.end, part.end)
    else parts.push(part)
  }
  return parts.flatMap(({ start, end }) =>
    scan(text.slice(start, end)).map((finding) => ({
      ...finding,
      start: finding.start + start,
      end: finding.end + start,
    })),
  )
}

type Place = Pick<Finding, 'start' | 'end'>

/** The detectors read the same text. */
function answerAgain<Answer>(find: (text: string) => Answer): (text: string) => Answer {
  let last: { readonly text: string; readonly answer: Answer } | undefined
  return (text) => {
    const known = last?.text === text ? last : undefined
    const answer = known ? known.answer : find(text)
    last = { text, answer }
    return answer
  }
}

export function createScanText(models: GuardModels): ScanText {
  const detectors = createBuiltInDetectors(models)
  return (text) => judge(scanOne(detectors, text))
}

export type TextScan = (text: string) => readonly Finding[]

export const scanTexts = (scan: TextScan, texts: readonly PlacedText[]): Finding[] =>
  texts.flatMap(({ path, text }) => scan(text).map((finding) => ({ ...finding, path })))

const SHORT = 40
const MOST_REMEMBERED = 2_000

/** Remembers harmless short texts, because results repeat them and findings depend on the text alone. */
export function createTextScan(detectors: readonly ImmediateDetector[]): TextScan {
  const harmless = new Set<string>()
  return (text) => {
    if (text.length > SHORT) return scanOne(detectors, text)
    if (harmless.has(text)) return []
    const found = scanOne(detectors, text)
    if (harmless.size >= MOST_REMEMBERED) harmless.clear()
    if (found.length === 0) harmless.add(text)
    return found
  }
}

/** As received, and without terminal sequences and invisible characters, which may cut attack words. */
function scanOne(detectors: readonly ImmediateDetector[], text: string): Finding[] {
  const scan = (each: string): Finding[] => detectors.flatMap((detector) => [...detector.scanText(each)])
  const found = scan(text)
  if (!mayHoldControlCharacters(text)) return found
  const shown = stripText(text)
  if (shown.text === text) return found
  const known = new Set(found.map(({ reason }) => reason))
  const more = scan(shown.text).filter(({ reason }) => !known.has(reason))
  return [...found, ...more.map((finding) => ({ ...finding, ...placeInOriginal(finding, shown) }))]
}

/** Without what was removed beside it. */
function placeInOriginal({ start, end }: Place, shown: StrippedText): Place {
  if (end <= start) return { start, end }
  return { start: shown.originalIndex(start), end: shown.originalIndex(end - 1) + 1 }
}
