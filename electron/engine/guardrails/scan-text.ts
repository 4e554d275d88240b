import { createClassifier } from './classifier.ts'
import { cleanText } from './control-characters.ts'
import type { Finding, ImmediateDetector } from './detector.ts'
import type { GuardModel } from './guard-model.ts'
import { judge, type ScanVerdict } from './judge.ts'
import { readText } from './read-text.ts'
import { createRulesDetector } from './rules.ts'
import type { PlacedText } from './texts-in.ts'

export type ScanText = (text: string) => ScanVerdict

/** The built-in detectors, in the order in which their findings are listed. */
export function createBuiltInDetectors(model: GuardModel): readonly ImmediateDetector[] {
  const read = answerTwice(readText)
  return [createRulesDetector(read), createClassifier(model, read)]
}

/** Both detectors ask the same of a text, one after the other: the second one gets the first one's answer. */
function answerTwice<Answer>(find: (text: string) => Answer): (text: string) => Answer {
  let last: { readonly text: string; readonly answer: Answer } | undefined
  return (text) => {
    const known = last?.text === text ? last : undefined
    const answer = known ? known.answer : find(text)
    last = known ? undefined : { text, answer }
    return answer
  }
}

/** One verdict on a text from all built-in detectors together. */
export function createScanText(model: GuardModel): ScanText {
  const detectors = createBuiltInDetectors(model)
  return (text) => judge(scanOne(detectors, text))
}

/** What these detectors find in each of the texts, with the place of its text. */
export const scanTexts = (detectors: readonly ImmediateDetector[], texts: readonly PlacedText[]): Finding[] =>
  texts.flatMap(({ path, text }) => scanOne(detectors, text).map((finding) => ({ ...finding, path })))

/**
 * Scans a text as it came, and as it reads once terminal sequences and invisible characters are out of it: they may cut
 * every word of an attack into pieces that no detector knows.
 */
function scanOne(detectors: readonly ImmediateDetector[], text: string): Finding[] {
  const scan = (each: string): Finding[] => detectors.flatMap((detector) => [...detector.scanText(each)])
  const found = scan(text)
  const shown = cleanText(text, 'strip')
  if (shown === text) return found
  const known = new Set(found.map(({ reason }) => reason))
  const more = scan(shown).filter(({ reason }) => !known.has(reason))
  // Places count in the text as it came.
  return [...found, ...more.map((finding) => ({ ...finding, start: 0, end: 0 }))]
}
