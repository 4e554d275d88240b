import { inSteps, type Steps } from '../ground/steps.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { stringifyInTurns } from '../protocol/stringify-in-pieces.ts'
import { type JoinedTexts, joinTexts } from '../text/joined-texts.ts'
import { measureTokens } from '../text/tokens/measure-tokens.ts'

export type CountAll = (documents: readonly JoinedTexts[]) => Promise<readonly number[]>

const PARTS_OF_STEP = 1_000

/**
 * Texts, those of embedded resources, and the structured half, as compression counts them. Clients decide the cost of
 * pictures and sound.
 */
export async function tokensOfResult(result: JsonObject, countAll: CountAll): Promise<number> {
  const { content, structuredContent } = result
  const texts = Array.isArray(content) ? await inSteps(textsIn(content)) : []
  if (isJsonObject(structuredContent)) texts.push(await stringifyInTurns(structuredContent))
  if (texts.length === 0) return 0
  // An estimate without worker: the call is recorded in any case.
  const estimate = (): number[] => [texts.reduce((sum, text) => sum + measureTokens(text), 0)]
  const [tokens = 0] = await countAll([joinTexts(texts)]).catch(estimate)
  return tokens
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
