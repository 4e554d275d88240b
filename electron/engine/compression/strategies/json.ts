import { isLeaf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { encodeLossless } from '../lossless/encode.ts'
import { minify } from '../tree/minify.ts'
import { parseJson } from '../../text/tree/parse-json.ts'
import { seeThrough } from '../tree/see-through.ts'
import { showRecords } from '../records/show-records.ts'
import { jsonReading } from '../../text/readers/json.ts'
import type { Strategy, StrategyOutput } from '../strategy.ts'
import { countTokens, countUpTo } from '../../text/tokens/count-tokens.ts'
import { estimateTokens } from '../../text/tokens/estimate-tokens.ts'

/** Longer minified documents, in characters per budget token or multiples of the budget's tokens, fit in no form. */
const MOST_CHARACTERS = 16
const MOST_SAVED = 2.5
/** Largest error factor of a token estimate. */
const UNSURE = 1.2

/** Complete if that fits, else the values that fit the goal in their containers. Stays JSON. */
export const jsonStrategy: Strategy = {
  name: 'json',
  kinds: ['json'],
  hasLossless: true,
  compress({ text, goal, budget, lossless }) {
    const source = parseJson(text)
    if (source === undefined) return undefined
    if (lossless === true) return within(writeShortest(source), budget)

    const document = seeThrough(source)
    const complete = writeWithin(document, budget, goal !== undefined)
    if (complete !== undefined) return { text: complete, omitted: undefined, lossless: document === source }
    return showRecords(jsonReading(document), goal, budget)
  },
}

/** The complete document if it has at most `budget` tokens; estimates avoid most exact counts. */
function writeWithin(document: JsonDocument, budget: number, verbatim: boolean): string | undefined {
  if (!isShorterThan(document, budget * MOST_CHARACTERS)) return undefined
  const minified = minify(document)
  const estimate = estimateTokens(minified)
  const fits = (text: string, tokens = estimateTokens(text)): boolean =>
    tokens <= budget * UNSURE && countUpTo(text, budget) <= budget
  if (fits(minified, estimate)) return minified
  if (estimate > budget * MOST_SAVED) return undefined
  const encoded = encodeLossless(document, { verbatim })
  return encoded !== undefined && fits(encoded) ? encoded : undefined
}

/** Counts values without keys and brackets; stops early. */
function isShorterThan(document: JsonDocument, most: number): boolean {
  let length = 0
  for (let node = document.root; node < document.count && length <= most; node++)
    if (isLeaf(document, node)) length += (document.stops[node] ?? 0) - (document.starts[node] ?? 0) + 1
  return length <= most
}

/** The shortest fully restorable form. */
function writeShortest(document: JsonDocument): string {
  const minified = minify(document)
  const encoded = encodeLossless(document)
  return encoded !== undefined && countTokens(encoded) < countTokens(minified) ? encoded : minified
}

const within = (text: string, budget: number): StrategyOutput | undefined =>
  countUpTo(text, budget) <= budget ? { text, omitted: undefined, lossless: true } : undefined
