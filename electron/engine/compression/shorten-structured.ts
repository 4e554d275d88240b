import type { ToolCall } from '../message/call.ts'
import { carrySources, parseExact, saysTheSame } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { stringifyInTurns } from '../protocol/stringify-in-pieces.ts'
import type { CompressResultOptions, KeptOriginal, Treatment } from './treatment.ts'
import { headerLine } from './header.ts'
import type { TextPart } from './result-parts.ts'
import type { ShortenedTexts } from './shorten-texts.ts'
import { isLongerThan, markNameFor, type StructuredHalf } from './structured-half.ts'
import { countTokens } from '../text/tokens/count-tokens.ts'

export interface ShortenedStructured {
  /** Undefined when omitted: it repeats the text, and the cut could not be marked in it. */
  readonly value: JsonObject | undefined
  readonly tokens: number
  readonly isCut: boolean
  /** A text block that describes the cut, and its tokens. */
  readonly about: JsonObject | undefined
  readonly aboutTokens: number
}

export const STRUCTURED = 'structured'
/** Tokens reserved for the block that describes the cut. */
export const BLOCK_TOKENS = 100

export async function measureStructured(
  { measureStructured: measure }: Pick<CompressResultOptions, 'measureStructured'>,
  result: JsonObject,
  parts: readonly TextPart[],
  { definition }: Pick<ToolCall, 'definition'>,
): Promise<StructuredHalf | undefined> {
  const value = result['structuredContent']
  if (!isJsonObject(value)) return undefined
  const json = await stringifyInTurns(value)
  const mayRepeat =
    definition !== undefined && !isJsonObject(definition['outputSchema']) && parts.length === 1
  return { value, json, ...(await measure({ json, text: mayRepeat ? parts[0]?.text : undefined })) }
}

/**
 * Whether the half is the only text as a value, or an object around the texts: clients show the model either, so the
 * texts decide what is large. For texts of a few thousand tokens.
 */
export function repeatsTexts({ value, json }: StructuredHalf, parts: readonly TextPart[]): boolean {
  const [first] = parts
  if (parts.length === 1 && first && saysTheSame(json, first.text)) return true
  const around = replaceTexts(value, new Map(parts.map(({ text }) => [text, ''])))
  return around !== value && !isLongerThan(around, json.length * MOST_AROUND)
}

/** Share of the half that stands around the texts. */
const MOST_AROUND = 0.1

/**
 * Also shortens `structuredContent`, because clients may show it instead of the text: within the `outputSchema`,
 * which clients validate. Without a schema, a copy of the text that can't mark its own cut is dropped with a notice.
 */
export async function shortenStructured(
  options: Pick<CompressResultOptions, 'shrinkStructured'>,
  half: StructuredHalf,
  work: { call: ToolCall; treatment: Treatment; original: KeptOriginal; cut: ShortenedTexts | undefined },
): Promise<ShortenedStructured> {
  const { call, treatment, original, cut } = work
  const { goal, request, budget } = treatment
  const whole = { value: half.value, tokens: half.tokens, isCut: false, about: undefined, aboutTokens: 0 }
  if (half.tokens <= budget || (half.isRepeated && !cut)) return whole
  const schema = call.definition?.['outputSchema']
  const value = cut ? replaceTexts(half.value, cut.shown) : half.value
  const shrunk = await options.shrinkStructured({
    json: value === half.value ? half.json : await stringifyInTurns(value),
    schema: isJsonObject(schema) ? schema : undefined,
    goal,
    request,
    budget,
    resultId: original.id,
  })
  const isShorter = shrunk !== undefined && shrunk.tokens < half.tokens
  if (half.isRepeated && !(isShorter && isMarked(shrunk.json, half.value))) {
    const about = { type: 'text', text: `[${LEFT_OUT}: it says the same as the text. id: ${original.id}]` }
    return { value: undefined, tokens: 0, isCut: true, about, aboutTokens: countTokens(about.text) }
  }
  if (!isShorter) return whole
  const about =
    shrunk.shownText === undefined
      ? undefined
      : blockAbout(
          shrunk.shownText,
          original.id,
          cut ? undefined : { before: half.tokens, after: shrunk.tokens },
        )
  return {
    value: parseExact(shrunk.json) as JsonObject,
    tokens: shrunk.tokens,
    isCut: true,
    about,
    aboutTokens: about ? countTokens(about.text) : 0,
  }
}

/**
 * Escaped quotes and line breaks cost tokens in the structured half. Budget for the texts so that their short form
 * fits there too; undefined when it already fits or something else takes the room.
 */
export async function budgetInStructured(
  { measureStructured: measure }: Pick<CompressResultOptions, 'measureStructured'>,
  { value, isRepeated }: StructuredHalf,
  { shown }: ShortenedTexts,
  budget: number,
): Promise<number | undefined> {
  const withTexts = replaceTexts(value, shown)
  if (withTexts === value || isRepeated || isLongerThan(withTexts, budget * MOST_CHARACTERS)) return undefined
  const withoutTexts = replaceTexts(value, new Map([...shown.keys()].map((text) => [text, ''])))
  const [all, rest] = await Promise.all(
    [withTexts, withoutTexts].map(async (half) => {
      return (await measure({ json: await stringifyInTurns(half), text: undefined })).tokens
    }),
  )
  if (all === undefined || rest === undefined || all <= budget || rest > budget / 2) return undefined
  const plain = [...shown.values()].reduce((sum, text) => sum + countTokens(text), 0)
  return Math.floor((ROOM_FOR_OTHER_SIGNS * plain * (budget - rest)) / (all - rest))
}

/** Tokens hardly ever average more. */
const MOST_CHARACTERS = 24
/** Another cut needs other escapes. */
const ROOM_FOR_OTHER_SIGNS = 0.95
const LEFT_OUT = 'structuredContent is left out'

/** Its readers must see that it is incomplete. */
const isMarked = (json: string, before: JsonObject): boolean =>
  Object.hasOwn(parseExact(json) as JsonObject, markNameFor(before))

/** Many servers repeat the text in a string: its short form replaces it. */
function replaceTexts(value: JsonObject, texts: ReadonlyMap<string, string>): JsonObject {
  if (texts.size === 0) return value
  let isSame = true
  const replaced = Object.entries(value).map(([key, item]): [string, unknown] => {
    const other =
      typeof item === 'string'
        ? (texts.get(item) ?? item)
        : isJsonObject(item)
          ? replaceTexts(item, texts)
          : item
    if (other !== item) isSame = false
    return [key, other]
  })
  return isSame ? value : carrySources(value, Object.fromEntries(replaced))
}

/**
 * A text that describes the cut of the structured half, for readers of the text and schemas that allow no mark.
 * `figures` when no other text names the way back.
 */
function blockAbout(
  shownText: string,
  resultId: string,
  figures: { readonly before: number; readonly after: number } | undefined,
): { type: 'text'; text: string } {
  if (!figures)
    return { type: 'text', text: `[structuredContent is shortened: ${shownText}. id: ${resultId}]` }
  const facts = { tokensBefore: figures.before, strategy: STRUCTURED, resultId, omitted: undefined }
  const header = headerLine(facts, figures.after).trimEnd()
  return { type: 'text', text: `${header} structuredContent is shortened: ${shownText}.` }
}
