import { findKind, type DetectedKind } from '../text/kinds/detect-kind.ts'
import { headerLine, shortHeader, withHeader, type HeaderFacts } from './header.ts'
import type { FormatHint } from '../text/readers/reading.ts'
import type { Strategy, StrategyOutput } from './strategy.ts'
import type { ContentKind } from '../text/kinds/content-kinds.ts'
import { namesSomething } from './rank/names-something.ts'
import { previewStrategy } from './strategies/preview.ts'
import { proseStrategy } from './strategies/documents.ts'
import { strategiesFor, strategyNamed } from './strategies/registry.ts'
import { countTokens, countUpTo } from '../text/tokens/count-tokens.ts'
import { firstTokens } from '../text/tokens/first-tokens.ts'
import { EXACT_UP_TO, measureTokens } from '../text/tokens/measure-tokens.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    compress: (input: CompressTextInput) => Promise<CompressTextOutput>
  }
}

export interface CompressTextInput {
  readonly text: string
  /** Exact tokens (o200k_base), if known. */
  readonly tokens?: number | undefined
  readonly goal?: string | undefined
  /** The user's: also a goal where it names something in the text. */
  readonly request?: string | undefined
  /** Tokens (o200k_base) including the header line. */
  readonly budget: number
  readonly kind?: ContentKind | undefined
  /** What the call says of the format. */
  readonly hint?: FormatHint | undefined
  /** E.g. 'preview'. */
  readonly strategy?: string | undefined
  /** Requires a fully restorable form at any budget. */
  readonly lossless?: boolean | undefined
  /** Id of the stored original; the header tells how to retrieve it. */
  readonly resultId?: string | undefined
  /** A model's summary before the strategy's selection, or `alone`. */
  readonly summary?: { readonly text: string; readonly alone: boolean } | undefined
  /** Factor on the budget for a repeated call. */
  readonly escalation?: number | undefined
  /** Why the budget is smaller than usual. */
  readonly budgetStep?: string | undefined
  readonly blocks?: HeaderFacts['blocks']
  readonly file?: HeaderFacts['file']
  readonly reading?: HeaderFacts['reading']
}

export interface CompressTextOutput {
  /** Includes the header line; the input when nothing was shorter. */
  readonly text: string
  readonly strategy: string
  readonly kind: ContentKind
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly omitted: string | undefined
  readonly lossless: boolean
}

type Measured = Pick<CompressTextOutput, 'kind' | 'tokensBefore'>
type FoundInput = CompressTextInput & Pick<DetectedKind, 'found'>

export type CompressText = (input: CompressTextInput) => CompressTextOutput

/** Tries per strategy with ever smaller budgets. */
const ATTEMPTS = 3

/**
 * Detects the kind, tries its strategies, then prose and preview, and prepends a header line. Never exceeds the
 * budget or the original; fitting text passes unchanged, except HTML, which is better as Markdown at any size.
 * `tokensBefore`: the caller's count, else exact up to 20,000 characters, above an estimate. A throwing strategy is
 * skipped.
 */
export const compressText: CompressText = (given) => {
  const input = { ...given, goal: goalOf(given) }
  const { text, budget } = input
  const detected = input.kind === undefined ? findKind(text, undefined, input.hint) : { kind: input.kind }
  const { kind } = detected
  // A short text is counted once, for both fit and `tokensBefore`.
  const exact = input.tokens ?? (text.length <= EXACT_UP_TO ? countTokens(text) : undefined)
  const tokensBefore = exact ?? measureTokens(text)
  const fits =
    exact === undefined
      ? tokensBefore <= budget * UNSURE && countUpTo(text, budget) <= budget
      : exact <= budget
  const wantsSmaller = input.lossless === true || input.strategy !== undefined || kind === 'html'
  const measured = { kind, tokensBefore }
  const counted = (): Measured => ({ kind, tokensBefore: exact ?? countTokens(text) })
  if (fits && !wantsSmaller) return unchanged(input, counted())

  if (input.summary?.alone === true) {
    return summaryAlone(input, input.summary.text, measured) ?? unchanged(input, measured)
  }
  for (const [strategy, found] of candidates(input, detected)) {
    if (input.lossless === true && strategy.hasLossless !== true) continue
    const done = attempt(strategy, { ...input, found }, measured)
    if (done !== undefined) return done
  }
  if (fits) return unchanged(input, counted())
  return input.lossless === true ? unchanged(input, measured) : beginning(input, measured)
}

/** Text resembling JSON or HTML may be a log or table. */
function* candidates(
  input: CompressTextInput,
  { kind, found }: DetectedKind,
): Generator<readonly [Strategy, DetectedKind['found']]> {
  const forced = input.strategy === undefined ? undefined : strategyNamed(input.strategy)
  if (forced !== undefined) {
    yield [forced, found]
    yield [previewStrategy, undefined]
    return
  }
  const first = strategiesFor(kind)
  for (const strategy of first) yield [strategy, found]
  const other = findKind(input.text, kind, input.hint)
  const others = new Set([...strategiesFor(other.kind), proseStrategy, previewStrategy])
  for (const strategy of others) if (!first.includes(strategy)) yield [strategy, other.found]
}

function attempt(strategy: Strategy, input: FoundInput, measured: Measured): CompressTextOutput | undefined {
  const { tokensBefore } = measured
  const [name, summary] = [named(strategy, input), input.summary?.text]
  const facts = { ...namedInHeader(input), tokensBefore, strategy: name }
  // JSON stays JSON: its summary goes into the header line.
  const isInHeader = strategy.name === 'json'
  const lead = summary === undefined || isInHeader ? '' : `Summary: ${summary}\n\n`
  const shownSummary = isInHeader ? summary : undefined
  let budget =
    input.budget -
    countTokens(headerLine({ ...facts, omitted: '', summary: shownSummary }, input.budget) + lead)
  for (let i = 0; i < ATTEMPTS && budget > 0; i++) {
    const output = tryStrategy(strategy, input, budget)
    if (output === undefined) return undefined
    const whole = withHeader({ ...facts, omitted: output.omitted, summary: shownSummary }, lead + output.text)
    if (whole.tokens <= input.budget) {
      if (!isShorter(whole.tokens, tokensBefore, input.text)) return undefined
      const { omitted, lossless = false } = output
      return { ...measured, text: whole.text, strategy: name, tokensAfter: whole.tokens, omitted, lossless }
    }
    budget -= whole.tokens - input.budget + 2
  }
  return undefined
}

const named = (strategy: Strategy, { summary }: CompressTextInput): string =>
  summary === undefined ? strategy.name : `${MODEL}+${strategy.name}`

/** Also the name in the ledger. */
const MODEL = 'model'

/** A path over a tenth of the budget is omitted. */
function namedInHeader(input: CompressTextInput): Omit<HeaderFacts, 'tokensBefore' | 'strategy' | 'omitted'> {
  const { resultId, escalation, budgetStep, blocks, file, reading, budget } = input
  const named = file !== undefined && countTokens(file) <= budget / 10 ? file : undefined
  return { resultId, escalation, budgetStep, blocks, file: named, reading }
}

function summaryAlone(
  input: CompressTextInput,
  answer: string,
  measured: Measured,
): CompressTextOutput | undefined {
  const { text, budget } = input
  const { tokensBefore } = measured
  const omitted = 'what the model left out'
  const whole = withHeader({ ...namedInHeader(input), tokensBefore, strategy: MODEL, omitted }, answer)
  if (whole.tokens > budget || !isShorter(whole.tokens, tokensBefore, text)) return undefined
  const { text: shown, tokens: tokensAfter } = whole
  return { ...measured, text: shown, strategy: MODEL, tokensAfter, omitted, lossless: false }
}

/** An estimate near the original can't guarantee "never longer". */
function isShorter(tokens: number, tokensBefore: number, text: string): boolean {
  return tokens < tokensBefore * SURELY_SHORTER || tokens < countTokens(text)
}

const SURELY_SHORTER = 0.8

function tryStrategy(strategy: Strategy, input: FoundInput, budget: number): StrategyOutput | undefined {
  const { text, goal, hint, found, lossless } = input
  try {
    return strategy.compress({ text, goal, hint, found, budget, lossless })
  } catch {
    return undefined
  }
}

export function goalOf({ goal, request, text }: Pick<CompressTextInput, 'goal' | 'request' | 'text'>) {
  const named = request !== undefined && namesSomething(request, text) ? request : undefined
  return [goal, named].filter((part) => part?.trim()).join('\n') || undefined
}

/** Estimates this far over budget need no exact count. */
const UNSURE = 1.5

const unchanged = ({ text }: CompressTextInput, measured: Measured): CompressTextOutput => ({
  ...measured,
  text,
  strategy: 'none',
  tokensAfter: measured.tokensBefore,
  omitted: undefined,
  lossless: true,
})

/** For budgets below a header line: the fitting beginning, and the id. */
function beginning({ text, budget, resultId }: CompressTextInput, measured: Measured): CompressTextOutput {
  const id = resultId === undefined ? '' : shortHeader(resultId)
  const head = countTokens(id) < budget ? id : ''
  let room = budget - countTokens(head) - 1
  const write = (): string => (room > 0 ? `${head}${firstTokens(text, room)}…` : head)
  let shown = write()
  let tokensAfter = countTokens(shown)
  // The mark may split a token before it.
  for (; tokensAfter > budget && room > 0; tokensAfter = countTokens(shown)) {
    room--
    shown = write()
  }
  const omitted = 'everything after the first tokens'
  return { ...measured, text: shown, strategy: 'preview', tokensAfter, omitted, lossless: false }
}
