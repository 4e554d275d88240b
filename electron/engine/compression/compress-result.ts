import type { Policy, SummaryForm } from '../../../shared/settings.ts'
import type { CompressionTrace, Interceptor, ToolCall } from '../call.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { CompressTextInput, CompressTextOutput } from './compress-text.ts'
import {
  goalOfArguments,
  resourceTexts,
  shareBudget,
  textParts,
  withText,
  type TextPart,
} from './result-parts.ts'

export interface KeptResult {
  readonly owner: string
  readonly serverId: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
  readonly result: JsonObject
  readonly parts: readonly TextPart[]
}

export interface KeptOriginal {
  readonly id: string
  /** Of the whole result, in hex. */
  readonly sha256: string
}

/** A result as it goes out, and what was done to it. */
export interface ShortenedForm {
  readonly result: JsonObject
  readonly trace: CompressionTrace
}

/** Undefined where nothing shorter was found. */
export type MakeForm = () => Promise<ShortenedForm | undefined>

export interface ShrinkStructuredInput {
  readonly value: JsonObject
  readonly schema: JsonObject | undefined
  readonly goal: string | undefined
  readonly budget: number
}

/** What the strategy `model` has to know beside the text. */
export interface SummaryWish {
  /** The user's own words on what a summary of this tool needs. */
  readonly instructions: string | undefined
  readonly form: SummaryForm
  /** From which score on the model's words count as an attack; undefined: nothing is scanned. */
  readonly guardThreshold: number | undefined
}

export interface ShortenInput extends CompressTextInput {
  /** Set where a model is to write: then the strategy is `model`. */
  readonly wish?: SummaryWish | undefined
}

export interface ShortenOutput extends CompressTextOutput {
  /** For the ledger: why the model's words did not go out, or what was taken out of them. */
  readonly note?: string | undefined
  /** Made without the model's words, which another time may have. */
  readonly provisional?: boolean
}

export interface CompressResultOptions {
  /** Run in a worker thread, with a model on top of it where the input has a wish. */
  compress(input: ShortenInput, signal: AbortSignal | undefined): Promise<ShortenOutput>
  shrinkStructured(input: ShrinkStructuredInput): Promise<JsonObject | undefined>
  /** Tokens of a text (o200k_base); for long texts in a worker. */
  countTokens(text: string): Promise<number>
  /** Keeps the original and says under which names; throws when it can't, and then nothing is shortened. */
  keep(kept: KeptResult): Promise<KeptOriginal>
  /** Gives a form of this original that was made before, or makes one. */
  once(call: ToolCall, original: KeptOriginal, make: MakeForm): Promise<ShortenedForm | undefined>
  /** The last kept original of the very same call by the same client. */
  lastOriginal(call: ToolCall): Promise<JsonObject | undefined>
  readonly logger: Logger
}

interface Treatment {
  readonly goal: string | undefined
  readonly threshold: number
  readonly budget: number
  /** The strategy's name; undefined: the one that the content asks for. */
  readonly strategy: string | undefined
  readonly wish: SummaryWish | undefined
  readonly escalation?: number | undefined
}

const treatmentOf = (policy: Pick<Policy, 'compression' | 'guard'>, goal: string | undefined): Treatment => {
  const { strategy, tokenThreshold, maxOutputTokens, customInstructions, summary } = policy.compression
  const { results, threshold } = policy.guard
  return {
    goal,
    threshold: tokenThreshold,
    budget: maxOutputTokens,
    strategy: strategy === 'preview' ? 'preview' : undefined,
    wish:
      strategy === 'model'
        ? {
            instructions: customInstructions,
            form: summary,
            guardThreshold: results === 'off' ? undefined : threshold,
          }
        : undefined,
  }
}

/**
 * Shortens results that are over their threshold and keeps the original. Fails open: whatever goes wrong in here, the
 * original passes.
 */
export function createCompressResult(options: CompressResultOptions): Interceptor {
  return (next) =>
    async function compressResult(call) {
      if (call.bypass) {
        const original = await options.lastOriginal(call).catch(() => undefined)
        if (original) return { result: original, compression: passed('bypass: the stored original') }
      }
      const outcome = await next(call)
      const { strategy } = call.policy.compression
      const { result } = outcome
      const finished = (result['resultType'] ?? 'complete') === 'complete'
      if (strategy === 'off' || call.bypass || !finished || !Array.isArray(result['content'])) return outcome
      // Most results: nothing more is asked about them.
      const parts = textParts(result['content'])
      if (isSmall(parts, call.policy.compression.tokenThreshold)) return outcome
      const { escalation } = call
      const treatment = { ...treatmentOf(call.policy, goalOfCall(call)), escalation }
      try {
        const measured = await measure(options, parts, treatment)
        if (!measured) return outcome
        const original = await options.keep({
          owner: call.clientName,
          serverId: call.serverId,
          tool: call.tool,
          arguments: call.arguments,
          result,
          parts,
        })
        const form = await options.once(call, original, () =>
          shortenResult(options, { call, result, parts, measured, treatment, original }),
        )
        if (form) return { ...outcome, result: form.result, compression: form.trace }
        return call.escalation === undefined
          ? outcome
          : { ...outcome, compression: passed(`escalation: ${call.escalation}x, the whole original`) }
      } catch (error) {
        options.logger.warn('result passed uncompressed', {
          server: call.serverId,
          tool: call.tool,
          error: messageOf(error),
        })
        return { ...outcome, compression: passed(messageOf(error)) }
      }
    }
}

/** What the model said that it is looking for, or what the arguments tell of it. */
export const goalOfCall = (call: ToolCall): string | undefined => call.goal ?? goalOfArguments(call.arguments)

async function shortenResult(
  options: CompressResultOptions,
  work: {
    call: ToolCall
    result: JsonObject
    parts: readonly TextPart[]
    measured: Measured
    treatment: Treatment
    original: KeptOriginal
  },
): Promise<ShortenedForm | undefined> {
  const { call, result, parts, measured, treatment, original } = work
  const shortened = await shorten(options, { parts, measured, treatment, original }, call.signal)
  if (!shortened) return undefined
  const { texts, trace } = shortened
  const shown = new Map(parts.map((part, index) => [part.text, texts[index] ?? part.text]))
  const structured = await shortenStructured(options, call, result, treatment, shown)
  const form: JsonObject = {
    ...result,
    content: withTexts(result['content'], parts, texts),
    ...structured,
    _meta: withMark(result, trace),
  }
  if (form['structuredContent'] === undefined) delete form['structuredContent']
  return { result: form, trace }
}

/** The same for `resources/read`. */
export function createCompressResource(options: CompressResultOptions) {
  return async function compressResource(
    result: JsonObject,
    origin: { clientName: string; serverId: string; name: string },
    policy: Pick<Policy, 'compression' | 'guard'>,
  ): Promise<JsonObject> {
    const parts = resourceTexts(result['contents'])
    const treatment = treatmentOf(policy, undefined)
    try {
      const measured = await measure(options, parts, treatment)
      if (!measured) return result
      const original = await options.keep({
        owner: origin.clientName,
        serverId: origin.serverId,
        tool: `resource ${origin.name}`,
        arguments: undefined,
        result,
        parts,
      })
      const shortened = await shorten(options, { parts, measured, treatment, original }, undefined)
      if (!shortened) return result
      return {
        ...result,
        contents: withTexts(result['contents'], parts, shortened.texts),
        _meta: withMark(result, shortened.trace),
      }
    } catch (error) {
      options.logger.warn('resource passed uncompressed', {
        server: origin.serverId,
        uri: origin.name,
        error: messageOf(error),
      })
      return result
    }
  }
}

const passed = (reason: string): CompressionTrace => ({
  resultId: undefined,
  strategy: 'none',
  tokensBefore: 0,
  tokensAfter: 0,
  milliseconds: 0,
  skipped: reason,
})

/** A token has at least one character, so most small results need no counting at all. */
const isSmall = (parts: readonly TextPart[], threshold: number): boolean =>
  parts.reduce((sum, part) => sum + part.text.length, 0) <= threshold

/** Tokens of each part and of all, and when the work began; undefined when the whole is small enough. */
async function measure(
  options: CompressResultOptions,
  parts: readonly TextPart[],
  { threshold }: Treatment,
): Promise<Measured | undefined> {
  if (isSmall(parts, threshold)) return undefined
  const started = performance.now()
  const sizes = await Promise.all(parts.map((part) => options.countTokens(part.text)))
  const before = sizes.reduce((sum, size) => sum + size, 0)
  return before <= threshold ? undefined : { sizes, before, started }
}

interface Measured {
  readonly sizes: readonly number[]
  readonly before: number
  /** `performance.now` */
  readonly started: number
}

/** The shortened texts by part, or undefined when nothing shorter was found. */
async function shorten(
  options: CompressResultOptions,
  work: {
    parts: readonly TextPart[]
    measured: Measured
    treatment: Treatment
    original: KeptOriginal
  },
  signal: AbortSignal | undefined,
): Promise<{ texts: readonly string[]; trace: CompressionTrace } | undefined> {
  const { parts, treatment } = work
  const { sizes, before, started } = work.measured
  const { goal, strategy, wish, escalation } = treatment
  const resultId = work.original.id
  const shares = shareBudget(sizes, treatment.budget)
  const told = { goal, strategy, wish, escalation }
  const outputs = await Promise.all(
    parts.map(async (part, index) => {
      const size = sizes[index] ?? 0
      const share = shares[index] ?? 0
      if (size <= share) return { text: part.text, tokens: size, strategy: 'none' }
      const id = parts.length > 1 ? `${resultId}/${index}` : resultId
      const asked = { ...told, text: part.text, tokens: size, budget: share, resultId: id }
      const { text, tokensAfter: tokens, strategy, note, provisional } = await options.compress(asked, signal)
      return { text, tokens, strategy, note, provisional }
    }),
  )
  const after = outputs.reduce((sum, output) => sum + output.tokens, 0)
  if (after >= before) return undefined
  const names = [...new Set(outputs.map((output) => output.strategy).filter((name) => name !== 'none'))]
  return {
    texts: outputs.map((output) => output.text),
    trace: {
      resultId,
      strategy: names.join('+') || 'none',
      tokensBefore: before,
      tokensAfter: after,
      milliseconds: performance.now() - started,
      skipped: undefined,
      note: [...new Set(outputs.flatMap(({ note }) => note ?? []))].join('; ') || undefined,
      ...(escalation === undefined ? {} : { escalation }),
      ...(outputs.some(({ provisional }) => provisional) ? { provisional: true } : {}),
    },
  }
}

const withTexts = (blocks: unknown, parts: readonly TextPart[], texts: readonly string[]): unknown[] => {
  const changed = Array.isArray(blocks) ? [...(blocks as unknown[])] : []
  parts.forEach((part, position) => {
    changed[part.index] = withText(changed[part.index], texts[position] ?? part.text)
  })
  return changed
}

/** The same facts as the header line, for programs. */
const withMark = (result: JsonObject, trace: CompressionTrace): JsonObject => ({
  ...(isJsonObject(result['_meta']) ? result['_meta'] : {}),
  'sluice/result': {
    id: trace.resultId,
    strategy: trace.strategy,
    tokensBefore: trace.tokensBefore,
    tokensAfter: trace.tokensAfter,
  },
})

/**
 * Clients may show the model `structuredContent` instead of the text, so it is shortened too: within its
 * `outputSchema` where the tool has one, since clients check it; taken out where it has none and only repeats the text.
 */
async function shortenStructured(
  options: CompressResultOptions,
  call: ToolCall,
  result: JsonObject,
  treatment: Treatment,
  texts: ReadonlyMap<string, string>,
): Promise<JsonObject> {
  const value = result['structuredContent']
  if (!isJsonObject(value)) return {}
  const schema = call.definition?.['outputSchema']
  if (!isJsonObject(schema) && call.definition && repeatsText(value, result)) {
    return { structuredContent: undefined }
  }
  const shrunk = await options.shrinkStructured({
    value: replaceTexts(value, texts),
    schema: isJsonObject(schema) ? schema : undefined,
    goal: treatment.goal,
    budget: treatment.budget,
  })
  return { structuredContent: shrunk ?? value }
}

/** Many servers put the text itself into a string of the structured content: there the same short form stands. */
function replaceTexts(value: JsonObject, texts: ReadonlyMap<string, string>): JsonObject {
  const replaced = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (typeof item === 'string') return [key, texts.get(item) ?? item]
    return [key, isJsonObject(item) ? replaceTexts(item, texts) : item]
  })
  return Object.fromEntries(replaced)
}

function repeatsText(value: JsonObject, result: JsonObject): boolean {
  const [only, ...others] = textParts(result['content'])
  if (!only || others.length > 0) return false
  try {
    return JSON.stringify(JSON.parse(only.text)) === JSON.stringify(value)
  } catch {
    return false
  }
}
