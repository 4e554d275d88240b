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
}

export interface CompressResultOptions {
  /** Run in a worker thread, with a model on top of it where the input has a wish. */
  compress(input: ShortenInput, signal: AbortSignal | undefined): Promise<ShortenOutput>
  shrinkStructured(input: ShrinkStructuredInput): Promise<JsonObject | undefined>
  /** Tokens of a text (o200k_base); for long texts in a worker. */
  countTokens(text: string): Promise<number>
  /** Keeps the original and gives its id; throws when it can't, and then nothing is shortened. */
  keep(kept: KeptResult): Promise<string>
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
      const finished = (outcome.result['resultType'] ?? 'complete') === 'complete'
      if (strategy === 'off' || call.bypass || !finished || !Array.isArray(outcome.result['content']))
        return outcome
      const treatment = treatmentOf(call.policy, call.goal ?? goalOfArguments(call.arguments))
      const parts = textParts(outcome.result['content'])
      const kept = (): KeptResult => ({
        owner: call.clientName,
        serverId: call.serverId,
        tool: call.tool,
        arguments: call.arguments,
        result: outcome.result,
        parts,
      })
      try {
        const shortened = await shorten(options, parts, treatment, kept, call.signal)
        if (!shortened) return outcome
        const content = withTexts(outcome.result['content'], parts, shortened.texts)
        const texts = new Map(parts.map((part, index) => [part.text, shortened.texts[index] ?? part.text]))
        const structured = await shortenStructured(options, call, outcome.result, treatment, texts)
        const result: JsonObject = {
          ...outcome.result,
          content,
          ...structured,
          _meta: withMark(outcome.result, shortened.trace),
        }
        if (result['structuredContent'] === undefined) delete result['structuredContent']
        return { ...outcome, result, compression: shortened.trace }
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

/** The same for `resources/read`. */
export function createCompressResource(options: CompressResultOptions) {
  return async function compressResource(
    result: JsonObject,
    origin: { clientName: string; serverId: string; name: string },
    policy: Pick<Policy, 'compression' | 'guard'>,
  ): Promise<JsonObject> {
    const parts = resourceTexts(result['contents'])
    const treatment = treatmentOf(policy, undefined)
    const kept = (): KeptResult => ({
      owner: origin.clientName,
      serverId: origin.serverId,
      tool: `resource ${origin.name}`,
      arguments: undefined,
      result,
      parts,
    })
    try {
      const shortened = await shorten(options, parts, treatment, kept, undefined)
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

/** The shortened texts by part, or undefined when everything is small enough or nothing shorter was found. */
async function shorten(
  options: CompressResultOptions,
  parts: readonly TextPart[],
  treatment: Treatment,
  kept: () => KeptResult,
  signal: AbortSignal | undefined,
): Promise<{ texts: readonly string[]; trace: CompressionTrace } | undefined> {
  // A token has at least one character, so most small results need no counting at all.
  const characters = parts.reduce((sum, part) => sum + part.text.length, 0)
  if (characters <= treatment.threshold) return undefined
  const started = performance.now()
  const sizes = await Promise.all(parts.map((part) => options.countTokens(part.text)))
  const before = sizes.reduce((sum, size) => sum + size, 0)
  if (before <= treatment.threshold) return undefined

  const resultId = await options.keep(kept())
  const shares = shareBudget(sizes, treatment.budget)
  const { goal, strategy, wish } = treatment
  const told = { goal, strategy, wish }
  const outputs = await Promise.all(
    parts.map(async (part, index) => {
      const size = sizes[index] ?? 0
      const share = shares[index] ?? 0
      if (size <= share) return { text: part.text, tokens: size, strategy: 'none', note: undefined }
      const id = parts.length > 1 ? `${resultId}/${index}` : resultId
      const output = await options.compress({ ...told, text: part.text, budget: share, resultId: id }, signal)
      return { text: output.text, tokens: output.tokensAfter, strategy: output.strategy, note: output.note }
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
