import { detectKind } from '../text/kinds/detect-kind.ts'
import { headerLine, shortHeader, withHeader, type HeaderFacts } from './header.ts'
import type { Strategy, StrategyOutput } from './strategy.ts'
import type { ContentKind } from '../text/kinds/content-kinds.ts'
import { previewStrategy } from './strategies/preview.ts'
import { proseStrategy } from './strategies/prose.ts'
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
  /** Exact tokens (o200k_base), when the caller has counted them. */
  readonly tokens?: number | undefined
  readonly goal?: string | undefined
  /** Tokens (o200k_base) of the answer including the header line. */
  readonly budget: number
  readonly kind?: ContentKind | undefined
  /** Forces one strategy by name, e.g. 'preview'. */
  readonly strategy?: string | undefined
  /** Requires a form that can be fully restored, at any budget. */
  readonly lossless?: boolean | undefined
  /** Id of the stored original; the header names it and how to retrieve it. */
  readonly resultId?: string | undefined
  /** A model's summary, printed before the strategy's selection, or `alone` instead of it. */
  readonly summary?: { readonly text: string; readonly alone: boolean } | undefined
  /** Factor on the usual budget for a repeated call; named in the header. */
  readonly escalation?: number | undefined
  /** For the header line: the blocks that the text joins … */
  readonly blocks?: HeaderFacts['blocks']
  readonly file?: HeaderFacts['file']
}

export interface CompressTextOutput {
  /** What the model receives including the header line; the input when nothing shorter was found. */
  readonly text: string
  readonly strategy: string
  readonly kind: ContentKind
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly omitted: string | undefined
  readonly lossless: boolean
}

export type CompressText = (input: CompressTextInput) => CompressTextOutput

/** Attempts of one strategy, each with a smaller budget, while text plus header is too long. */
const ATTEMPTS = 3

/**
 * Shortens a text to a budget: detects its kind, tries the strategies of that kind in order, then prose and preview,
 * and prepends a header line. The result never exceeds the budget or the text's length; a text that fits passes
 * unchanged, except HTML, where the main content as Markdown is better at any size. `tokensBefore` is the caller's
 * count, otherwise exact up to 20,000 characters and an estimate above. A strategy that throws is skipped.
 */
export const compressText: CompressText = (input) => {
  const { text, budget } = input
  const kind = input.kind ?? detectKind(text)
  // A short text is counted once, for both fit and `tokensBefore`.
  const exact = input.tokens ?? (text.length <= EXACT_UP_TO ? countTokens(text) : undefined)
  const tokensBefore = exact ?? measureTokens(text)
  const fits =
    exact === undefined
      ? tokensBefore <= budget * UNSURE && countUpTo(text, budget) <= budget
      : exact <= budget
  const wantsSmaller = input.lossless === true || input.strategy !== undefined || kind === 'html'
  if (fits && !wantsSmaller) return unchanged(input, kind, exact ?? countTokens(text))

  if (input.summary?.alone === true) {
    return summaryAlone(input, input.summary.text, kind, tokensBefore) ?? unchanged(input, kind, tokensBefore)
  }
  for (const strategy of candidates(input, kind)) {
    const done = attempt(strategy, input, kind, tokensBefore)
    if (done !== undefined) return done
  }
  if (fits) return unchanged(input, kind, exact ?? countTokens(text))
  if (input.lossless === true) return unchanged(input, kind, tokensBefore)
  return beginning(input, kind, tokensBefore)
}

/** The strategies to try, in order. Text that only resembles JSON or HTML may be a log or a table. */
function* candidates(input: CompressTextInput, kind: ContentKind): Generator<Strategy> {
  const forced = input.strategy === undefined ? undefined : strategyNamed(input.strategy)
  if (forced !== undefined) {
    yield* [forced, previewStrategy]
    return
  }
  const first = strategiesFor(kind)
  yield* first
  const others = [...strategiesFor(detectKind(input.text, kind)), proseStrategy, previewStrategy]
  yield* new Set(others.filter((strategy) => !first.includes(strategy)))
}

function attempt(
  strategy: Strategy,
  input: CompressTextInput,
  kind: ContentKind,
  tokensBefore: number,
): CompressTextOutput | undefined {
  const [name, summary] = [named(strategy, input), input.summary?.text]
  const facts = { ...namedInHeader(input), tokensBefore, strategy: name }
  // JSON stays JSON after the header line, so its summary is in that line.
  const isInHeader = strategy.name === 'json'
  const lead = summary === undefined || isInHeader ? '' : `Summary: ${summary}\n\n`
  const said = isInHeader ? summary : undefined
  let budget = input.budget - countTokens(headerLine({ ...facts, omitted: '', said }, input.budget) + lead)
  for (let i = 0; i < ATTEMPTS && budget > 0; i++) {
    const output = tryStrategy(strategy, input, budget)
    if (output === undefined) return undefined
    const whole = withHeader({ ...facts, omitted: output.omitted, said }, lead + output.text)
    if (whole.tokens <= input.budget) {
      if (!isShorter(whole.tokens, tokensBefore, input.text)) return undefined
      const { omitted, lossless } = output
      return {
        text: whole.text,
        strategy: name,
        kind,
        tokensBefore,
        tokensAfter: whole.tokens,
        omitted,
        lossless,
      }
    }
    budget -= whole.tokens - input.budget + 2
  }
  return undefined
}

const named = (strategy: Strategy, { summary }: CompressTextInput): string =>
  summary === undefined ? strategy.name : `${MODEL}+${strategy.name}`

/** Name of the model's summary in headers and in the ledger. */
const MODEL = 'model'

/** Header facts common to all strategies. A path over a tenth of the budget is omitted. */
function namedInHeader(input: CompressTextInput): Omit<HeaderFacts, 'tokensBefore' | 'strategy' | 'omitted'> {
  const { resultId, escalation, blocks, file, budget } = input
  const named = file !== undefined && countTokens(file) <= budget / 10 ? file : undefined
  return { resultId, escalation, blocks, file: named }
}

function summaryAlone(
  input: CompressTextInput,
  said: string,
  kind: ContentKind,
  tokensBefore: number,
): CompressTextOutput | undefined {
  const { text, budget } = input
  const omitted = 'what the model left out'
  const whole = withHeader({ ...namedInHeader(input), tokensBefore, strategy: MODEL, omitted }, said)
  if (whole.tokens > budget || !isShorter(whole.tokens, tokensBefore, text)) return undefined
  return {
    text: whole.text,
    strategy: MODEL,
    kind,
    tokensBefore,
    tokensAfter: whole.tokens,
    omitted,
    lossless: false,
  }
}

/** When both are close, an estimate can't guarantee "never longer". */
function isShorter(tokens: number, tokensBefore: number, text: string): boolean {
  return tokens < tokensBefore * SURELY_SHORTER || tokens < countTokens(text)
}

const SURELY_SHORTER = 0.8

function tryStrategy(
  strategy: Strategy,
  input: CompressTextInput,
  budget: number,
): StrategyOutput | undefined {
  try {
    const output = strategy.compress({
      text: input.text,
      goal: goalOf(input),
      budget,
      lossless: input.lossless,
    })
    return input.lossless === true && output?.lossless === false ? undefined : output
  } catch {
    return undefined
  }
}

const goalOf = ({ goal }: CompressTextInput) => (goal === undefined || goal.trim() === '' ? undefined : goal)

/** Estimates this many times over the budget need no exact count. */
const UNSURE = 1.5

function unchanged({ text }: CompressTextInput, kind: ContentKind, tokens: number): CompressTextOutput {
  return {
    text,
    strategy: 'none',
    kind,
    tokensBefore: tokens,
    tokensAfter: tokens,
    omitted: undefined,
    lossless: true,
  }
}

/** For budgets too small for a header line: the beginning that fits, and the id. */
function beginning(
  { text, budget, resultId }: CompressTextInput,
  kind: ContentKind,
  tokensBefore: number,
): CompressTextOutput {
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
  return { text: shown, strategy: 'preview', kind, tokensBefore, tokensAfter, omitted, lossless: false }
}
