import { inSteps, type Steps } from '../ground/steps.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { stringifyInTurns } from '../protocol/stringify-in-pieces.ts'
import { type JoinedTexts, joinTexts } from '../text/joined-texts.ts'
import { measureTokens } from '../text/tokens/measure-tokens.ts'

export type CountAll = (documents: readonly JoinedTexts[]) => readonly number[] | Promise<readonly number[]>

const PARTS_OF_STEP = 1_000

/**
 * Texts, those of embedded resources, and the structured half, as compression counts them. Clients decide the cost of
 * pictures and sound.
 */
export function tokensOfResult(result: JsonObject, countAll: CountAll): number | Promise<number> {
  const { content, structuredContent } = result
  const texts = Array.isArray(content) ? inSteps(textsIn(content)) : []
  return texts instanceof Promise || isJsonObject(structuredContent)
    ? countBoth(texts, structuredContent, countAll)
    : count(texts, countAll)
}

async function countBoth(
  read: string[] | Promise<string[]>,
  structured: unknown,
  countAll: CountAll,
): Promise<number> {
  const texts = await read
  if (isJsonObject(structured)) texts.push(await stringifyInTurns(structured))
  return count(texts, countAll)
}

function count(texts: readonly string[], countAll: CountAll): number | Promise<number> {
  if (texts.length === 0) return 0
  const counted = countAll([joinTexts(texts)])
  if (!(counted instanceof Promise)) return counted[0] ?? 0
  // An estimate without worker: the call is recorded in any case.
  const estimate = (): number => texts.reduce((sum, text) => sum + measureTokens(text), 0)
  return counted.then(([tokens = 0]) => tokens, estimate)
}

function* textsIn(content: readonly unknown[]): Steps<string[]> {
  const texts: string[] = []
  for (const [index, part] of content.entries()) {
    if (index % PARTS_OF_STEP === PARTS_OF_STEP - 1) yield
    if (!isJsonObject(part)) continue
    const resource = part['resource']
    const text = part['text'] ?? (isJsonObject(resource) ? resource['text'] : undefined)
    if (typeof text === 'string') texts.push(text)
  }
  return texts
}
