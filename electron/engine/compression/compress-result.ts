import type { Policy } from '../../../shared/policy.ts'
import {
  onUnguarded,
  type CompressionTrace,
  type Interceptor,
  type ToolCall,
  type ToolOutcome,
} from '../message/call.ts'
import type { AskServer, Read } from '../message/layers.ts'
import { messageOf } from '../ground/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { inSteps } from '../ground/steps.ts'
import { jobSize } from '../work/job-size.ts'
import { documentsOf } from './text-documents.ts'
import { resourceTexts, textParts, type TextPart } from './result-parts.ts'
import { HELD_OUT } from './hold-out.ts'
import { endingOf, endingOfCall, goalOfCall, requestOfCall } from '../message/goal-of-call.ts'
import { shortenTexts, type ShortenedTexts, type TextsToShorten } from './shorten-texts.ts'
import {
  BLOCK_TOKENS,
  budgetInStructured,
  measureStructured,
  repeatsTexts,
  shortenStructured,
  STRUCTURED,
  type ShortenedStructured,
} from './shorten-structured.ts'
import { isLongerThan, type StructuredHalf } from './structured-half.ts'
import type {
  BegunOriginal,
  CompressResultOptions,
  KeptOriginal,
  ShortenedForm,
  Treatment,
} from './treatment.ts'

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

/** Shortens results over their threshold and stores the original. Fails open: on any error, the original passes. */
export function createCompressResult(options: CompressResultOptions): Interceptor {
  return (next) =>
    async function compressResult(call) {
      if (call.bypass) {
        const original = await options.lastOriginal(call).catch(() => undefined)
        if (original) return { result: original, compression: passed('bypass: the stored original') }
      }
      const { strategy } = call.policy.compression
      if (strategy !== 'off' && !call.bypass) options.expect(call)
      const isOff = strategy === 'off' || call.bypass
      let early: Early | undefined
      // A model must not read it yet.
      if (!isOff && strategy !== 'model')
        onUnguarded(call, (result) => {
          early = beginEarly(options, call, result)
          return early?.begun !== undefined
        })
      let outcome: ToolOutcome | undefined
      try {
        outcome = await next(call)
      } finally {
        if (outcome?.result !== early?.result || outcome?.tooLargeToScan) {
          early?.begun?.drop()
          early = undefined
        }
      }
      if (isOff) return outcome
      // Most results end here.
      const { begun } = early ?? { begun: begin(options, call, outcome.result, outcome.tooLargeToScan) }
      if (!begun) return outcome
      begun.pass()
      try {
        const work = await begun.work
        if (!work) return outcome
        const { escalation } = call
        if (!('form' in work)) {
          const again = escalation === undefined ? '' : `escalation: ${escalation}x, `
          return { ...outcome, compression: passed(`${again}${HELD_OUT}`, readOnce(work.measured)) }
        }
        const form = await work.form
        await work.original.kept
        if (form && !isWorth(form.trace, call.builtIn))
          return { ...outcome, compression: passed('the short form saves too little') }
        if (form) return { ...outcome, result: form.result, compression: form.trace }
        return escalation === undefined
          ? outcome
          : { ...outcome, compression: passed(`escalation: ${escalation}x, the whole original`) }
      } catch (error) {
        const { serverId: server, tool } = call
        options.logger.warn('result passed uncompressed', { server, tool, error: messageOf(error) })
        return { ...outcome, compression: passed(messageOf(error)) }
      }
    }
}

interface Begun {
  /** Undefined: small enough. Without a form: passes whole, for comparison. */
  readonly work: Promise<
    | { measured: Measured }
    | { measured: Measured; original: BegunOriginal; form: Promise<ShortenedForm | undefined> }
    | undefined
  >
  /** The guard let the result pass: stores it. */
  pass(): void
  drop(): void
}

interface Early {
  readonly result: JsonObject
  /** Undefined: nothing to do. */
  readonly begun: Begun | undefined
}

/** Above, work that may be dropped takes too much memory. In characters. */
const MOST_EARLY = 32_000_000

/** While the guard scans. */
function beginEarly(options: CompressResultOptions, call: ToolCall, result: JsonObject): Early | undefined {
  try {
    const isLarge = jobSize(result, MOST_EARLY) >= MOST_EARLY
    return isLarge ? undefined : { result, begun: begin(options, call, result, undefined) }
  } catch {
    return undefined
  }
}

/** Undefined: too small, or not finished. */
function begin(
  options: CompressResultOptions,
  call: ToolCall,
  result: JsonObject,
  tooLargeToScan: boolean | undefined,
): Begun | undefined {
  const finished = (result['resultType'] ?? 'complete') === 'complete'
  if (!finished || !Array.isArray(result['content'])) return undefined
  const whole: WholeResult = { blocks: result['content'], parts: textParts(result['content']), result }
  if (isSmall(whole, call.policy.compression.tokenThreshold)) return undefined
  const guarded = Promise.withResolvers<void>()
  const begun = async (): ReturnType<() => Begun['work']> => {
    const { escalation, budgetStep, builtIn } = call
    const treatment = {
      ...treatmentOf(call.policy, goalOfCall(call)),
      request: requestOfCall(call),
      hint: { ending: endingOfCall(call) },
      escalation,
      reading: builtIn && { readers: builtIn.readers, command: builtIn.command },
      budgetStep,
    }
    const measured = await measure(options, whole, call, treatment)
    if (!measured || call.isHeldOut) return measured && { measured }
    const original = await options.keep({
      owner: call.clientName,
      serverId: call.serverId,
      tool: call.tool,
      arguments: call.arguments,
      result,
      tooLargeToScan,
      guard: call.policy.guard,
      guarded: guarded.promise,
    })
    const form = options.once(call, original, () =>
      whileKept(original, (kept) =>
        shortenResult(options, { call, whole, measured, treatment, original: kept }),
      ),
    )
    return { measured, original, form }
  }
  const work = begun()
  const form = work.then((done) => (done && 'form' in done ? done.form : undefined))
  // After `drop` nothing waits for these.
  for (const promise of [guarded.promise, form]) promise.catch(() => {})
  const drop = (): void => guarded.reject(new Error('The guard did not let it pass.'))
  return { work, pass: () => guarded.resolve(), drop }
}

/** Shortens while the original is written; once more where that got another id or no file. */
async function whileKept<Form>(
  begun: BegunOriginal,
  shorten: (original: KeptOriginal) => Promise<Form>,
): Promise<Form> {
  const [form, { id, file }] = await Promise.all([shorten(begun), begun.kept])
  return id === begun.id && file === begun.file ? form : shorten({ ...begun, id, file })
}

const isWorth = ({ tokensBefore, tokensAfter }: CompressionTrace, builtIn: ToolCall['builtIn']): boolean => {
  // The app would have shown its beginning; the budget is as large.
  if (builtIn?.tokensOfCut !== undefined) return true
  const saved = tokensBefore - tokensAfter
  const { tokens, share } = builtIn?.leastSaved ?? { tokens: 0, share: 0 }
  return saved >= tokens && saved >= tokensBefore * share
}

interface Work {
  readonly whole: WholeResult
  readonly measured: Measured
  readonly treatment: Treatment
  readonly original: KeptOriginal
}

async function shortenResult(
  options: CompressResultOptions,
  { call, whole, measured, treatment, original }: Work & { call: ToolCall },
): Promise<ShortenedForm | undefined> {
  const { result } = whole
  const { texts, structured: half, tokens } = measured
  // Room for the description of what is cut from the structured half.
  const isBoth = half !== undefined && half.tokens > treatment.budget
  const budget = treatment.budget - (isBoth ? BLOCK_TOKENS : 0)
  const cutTo = (most: number): Promise<ShortenedTexts | undefined> =>
    shortenTexts(options, texts, { ...treatment, budget: most }, original, call.signal)
  let cut = tokens > treatment.threshold ? await cutTo(budget) : undefined
  // A model is called once.
  if (cut && half && !treatment.wish) {
    const smaller = await budgetInStructured(options, half, cut, treatment.budget)
    if (smaller !== undefined) cut = (await cutTo(smaller)) ?? cut
  }
  const structured = half && (await shortenStructured(options, half, { call, treatment, original, cut }))
  if (!cut && !structured?.isCut) return undefined
  const form: JsonObject = {
    ...result,
    content: [...(cut?.blocks ?? whole.blocks), ...(structured?.about ? [structured.about] : [])],
    structuredContent: structured?.value,
  }
  if (form['structuredContent'] === undefined) delete form['structuredContent']
  const trace = traceOf(measured, original, treatment, cut, structured)
  return { result: { ...form, _meta: withMark(result, trace, structured) }, trace }
}

export function createCompressResource(options: CompressResultOptions): (next: AskServer) => AskServer {
  const shorten = async (result: JsonObject, origin: Read, begun: number): Promise<JsonObject> => {
    const { policy } = origin
    const contents = result['contents']
    if (!Array.isArray(contents)) return result
    const whole: WholeResult = { blocks: contents, parts: resourceTexts(contents), result }
    const hint = { ending: endingOf(origin.name) }
    const { budgetStep } = origin
    const treatment = { ...treatmentOf(policy, undefined), hint, budgetStep }
    try {
      const measured = await measure(options, whole, undefined, treatment)
      if (!measured) return result
      const original = await options.keep({
        owner: origin.clientName,
        serverId: origin.serverId,
        tool: `resource ${origin.name}`,
        arguments: undefined,
        result,
        guard: policy.guard,
        guarded: undefined,
      })
      const cut = await whileKept(original, (kept) =>
        shortenTexts(options, measured.texts, treatment, kept, undefined),
      )
      if (!cut) return result
      const trace = traceOf(measured, original, treatment, cut, undefined)
      options.onShortenedResource(origin, trace, performance.now() - begun)
      return { ...result, contents: cut.blocks, _meta: withMark(result, trace) }
    } catch (error) {
      const { serverId: server, name: uri } = origin
      options.logger.warn('resource passed uncompressed', { server, uri, error: messageOf(error) })
      return result
    }
  }
  return (next) => async (read) => {
    const begun = performance.now()
    const result = await next(read)
    const { resources, strategy } = read.policy.compression
    return read.method === 'resources/read' && resources && strategy !== 'off'
      ? shorten(result, read, begun)
      : result
  }
}

/** Clients show the model either of two halves that say the same. */
const readOnce = ({ tokens, structured }: Measured): number =>
  tokens + (structured === undefined || structured.isRepeated ? 0 : structured.tokens)

/** `tokens`: of the whole; undefined: not counted yet. */
const passed = (reason: string, tokens?: number): CompressionTrace => ({
  resultId: undefined,
  strategy: 'none',
  tokensBefore: tokens ?? 0,
  tokensAfter: tokens ?? 0,
  milliseconds: 0,
  skipped: reason,
})

interface WholeResult {
  readonly blocks: readonly unknown[]
  readonly parts: readonly TextPart[]
  readonly result: JsonObject
}

/** A token has at least one character, so most small results need no count. */
function isSmall({ parts, result }: WholeResult, threshold: number): boolean {
  let length = 0
  for (const { text } of parts) if ((length += text.length) > threshold) return false
  const structured = result['structuredContent']
  return !isJsonObject(structured) || !isLongerThan(structured, threshold)
}

interface Measured {
  readonly texts: TextsToShorten
  /** Of all texts. */
  readonly tokens: number
  readonly structured: StructuredHalf | undefined
  readonly started: number
}

/** Undefined when the whole is small enough. */
async function measure(
  options: CompressResultOptions,
  whole: WholeResult,
  call: ToolCall | undefined,
  { threshold }: Treatment,
): Promise<Measured | undefined> {
  if (isSmall(whole, threshold)) return undefined
  const started = performance.now()
  const { blocks, parts } = whole
  const documents = await inSteps(documentsOf(blocks, parts))
  const [sizes, structured] = await Promise.all([
    options.countTokens(documents),
    call && measureStructured(options, whole.result, parts, call),
  ])
  const tokens = sizes.reduce((sum, size) => sum + size, 0)
  const isLarge =
    tokens > threshold ||
    (structured &&
      structured.tokens > threshold &&
      !structured.isRepeated &&
      !repeatsTexts(structured, parts))
  return isLarge
    ? { texts: { blocks, documents, sizes, count: parts.length }, tokens, structured, started }
    : undefined
}

/** When text and structured content repeat each other, a client shows either: the smaller saving counts. */
function traceOf(
  { tokens, structured: half, started }: Measured,
  original: KeptOriginal,
  { escalation, budgetStep }: Treatment,
  cut: ShortenedTexts | undefined,
  structured: ShortenedStructured | undefined,
): CompressionTrace {
  const about = structured?.aboutTokens ?? 0
  const after = { text: (cut?.tokens ?? tokens) + about, structured: structured?.tokens ?? 0 }
  const saved = { text: tokens - after.text, structured: (half?.tokens ?? 0) - after.structured }
  const both = saved.text + saved.structured
  const all = half && cut ? Math.min(saved.text, saved.structured) : both
  const tokensAfter = after.text + after.structured
  return {
    resultId: original.id,
    strategy: cut?.trace.strategy ?? STRUCTURED,
    tokensBefore: tokensAfter + Math.max(0, all),
    tokensAfter,
    milliseconds: performance.now() - started,
    skipped: undefined,
    note: cut?.trace.note,
    ...(escalation === undefined ? {} : { escalation }),
    ...(budgetStep === undefined ? {} : { budgetStep }),
    ...(cut?.trace.provisional ? { provisional: true } : {}),
  }
}

/** The facts of the header line, for programs. */
const withMark = (
  result: JsonObject,
  trace: CompressionTrace,
  structured?: ShortenedStructured,
): JsonObject => ({
  ...(isJsonObject(result['_meta']) ? result['_meta'] : {}),
  'sluice/result': {
    id: trace.resultId,
    strategy: trace.strategy,
    tokensBefore: trace.tokensBefore,
    tokensAfter: trace.tokensAfter,
    ...(structured?.isCut ? { structuredContent: structured.value ? 'shortened' : 'left out' } : {}),
  },
})
