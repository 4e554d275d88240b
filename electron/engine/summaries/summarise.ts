import type { ShortenOutput } from '../compression/treatment.ts'
import type { CompressTextInput, CompressTextOutput } from '../compression/compress-text.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { orAborted } from '../ground/or-aborted.ts'
import { askModel } from './ask-model.ts'
import { NoSummary, type SummaryInput, type SummaryOptions } from './summary-types.ts'

export type Summarise = (input: SummaryInput, signal: AbortSignal | undefined) => Promise<ShortenOutput>

/**
 * Share of the budget beside an extract, lower for small budgets: displacing the extract costs at most one point of
 * answers kept (docs/models.md).
 */
const besideExtract = (budget: number): number => Math.min(0.15 * budget, 0.2 * budget - 50)
/** The rest is for the header line. */
const SHARE_ALONE = 0.85
/** Fewer say nothing. */
const LEAST_TOKENS = 30
/** After a timeout or overflow a model reads less, down to a quarter; more after each timely answer. */
const [SLOWER, FASTER, SLOWEST] = [0.5, 1.5, 0.25]

/** Makes the deterministic form first and falls back to it. Rejects only if that form fails. */
export function createSummarise(options: SummaryOptions): Summarise {
  const paces = new Map<string, number>()
  const write = async (
    input: SummaryInput,
    plain: CompressTextOutput,
    signal: AbortSignal,
    left: () => number,
  ): Promise<ShortenOutput> => {
    const { wish } = input
    const isAlone = wish.form === 'alone'
    const tokens = Math.floor(isAlone ? plain.tokensAfter * SHARE_ALONE : besideExtract(plain.tokensAfter))
    if (tokens < LEAST_TOKENS)
      throw new NoSummary(
        `the text is shortened to ${plain.tokensAfter} tokens without a model, too few for a summary beside them`,
      )
    const writer = await options.writer()
    if (!writer) throw new NoSummary('no model is in use', { isSettled: false })
    const { key } = writer.model
    const pace = paces.get(key) ?? 1
    const ask = () => askModel(options, writer, input, { tokens, before: plain, pace, left, signal })
    const asked = await ask()
      .catch((error: unknown) => {
        if (isTooLong(error)) return ask()
        throw error
      })
      .catch((error: unknown) => {
        if (isLate(error) || isTooLong(error)) paces.set(key, Math.max(SLOWEST, pace * SLOWER))
        throw error
      })
    paces.set(key, Math.min(1, pace * FASTER))
    const words = await vetted(options, asked.answer, { input, read: asked.read, plain, tokens })
    const { wish: _, ...text } = input
    const summary = { text: words.text, alone: isAlone }
    // Never larger than the deterministic form.
    const output = await options.compress({ ...text, budget: plain.tokensAfter, summary }, signal)
    const expected = isAlone ? 'model' : `model+${plain.strategy}`
    if (output.strategy !== expected || (isAlone && output.tokensAfter >= plain.tokensAfter)) {
      throw new NoSummary('the answer is larger than the deterministic form')
    }
    return words.removed === 0
      ? output
      : { ...output, note: `taken out of the model's words: ${words.removed} that the source does not hold` }
  }

  return async (input, signal) => {
    const start = performance.now()
    const limitMs = options.timeLimitMs()
    const { wish: _, ...text } = input
    const plain = await options.compress(text satisfies CompressTextInput, signal)
    if (plain.strategy === 'none') return plain
    const late = new AbortController()
    const left = (): number => limitMs - (performance.now() - start)
    const timer = setTimeout(() => late.abort(lateAfter(limitMs)), Math.max(0, left()))
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    try {
      return await orAborted(write(input, plain, either, left), either)
    } catch (error) {
      signal?.throwIfAborted()
      const isSettled = error instanceof NoSummary && error.isSettled
      return { ...plain, note: noteOf(error, limitMs), provisional: !isSettled }
    } finally {
      clearTimeout(timer)
      // Cancels its remaining work.
      late.abort(lateAfter(limitMs))
    }
  }
}

/** Throws NoSummary. */
async function vetted(
  { countTokens, guard, check }: SummaryOptions,
  answer: string,
  {
    input,
    read,
    plain,
    tokens,
  }: { input: SummaryInput; read: readonly string[]; plain: CompressTextOutput; tokens: number },
): Promise<{ text: string; removed: number }> {
  if (answer === '') throw new NoSummary("the model's answer was empty")
  // Assumes at least one token per hundred characters.
  const size = answer.length > tokens * 100 ? Infinity : await countTokens(answer)
  if (size > tokens) throw new NoSummary(`the model's answer was over the budget of ${tokens} tokens`)
  if (answer.includes('[Compressed:')) throw new NoSummary("the model's answer imitates Sluice's own header")
  const { guardThreshold, form } = input.wish
  const clean = guardThreshold === undefined ? answer : await guard(answer, guardThreshold)
  if (clean === undefined) throw new NoSummary("the model's answer looks like an attack on its reader")
  const asJson = form === 'alone' && plain.kind === 'json'
  const checked = await check({ answer: clean, source: input.text, read, asJson })
  if ('fault' in checked) throw new NoSummary(`the model's answer failed the check: it ${checked.fault}`)
  return checked
}

const isLate = (error: unknown): boolean => error instanceof SluiceError && error.code === 'MODEL_LATE'

const isTooLong = (error: unknown): boolean => error instanceof SluiceError && error.code === 'LIMIT_REACHED'

const lateAfter = (limitMs: number): SluiceError =>
  new SluiceError('MODEL_LATE', `The model was not done within ${Math.round(limitMs / 100) / 10} s.`)

const LONGEST_NOTE = 200

function noteOf(error: unknown, limitMs: number): string {
  const why =
    error instanceof NoSummary
      ? error.message
      : isLate(error)
        ? `the model was late (${Math.round(limitMs / 100) / 10} s)`
        : `the model failed: ${messageOf(error)}`
  return `deterministic: ${why}`.slice(0, LONGEST_NOTE)
}
