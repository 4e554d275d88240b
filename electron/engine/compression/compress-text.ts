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
  /** Exact tokens (o200k_base) of the text, where the caller has counted them. */
  readonly tokens?: number | undefined
  readonly goal?: string | undefined
  /** Tokens (o200k_base) of the whole answer, header line included. */
  readonly budget: number
  /** Overrides detection. */
  readonly kind?: ContentKind | undefined
  /** Forces one strategy by name, e.g. 'preview'. */
  readonly strategy?: string | undefined
  /** Ask for a form from which everything can be rebuilt, at any budget. */
  readonly lossless?: boolean | undefined
  /** Id under which the original is kept; named in the header together with the way back. */
  readonly resultId?: string | undefined
  /** What a model wrote about the text: it goes out before what the strategy picks, or `alone` in its place. */
  readonly summary?: { readonly text: string; readonly alone: boolean } | undefined
  /** The budget is this many times the usual one, because the call was repeated; named in the header. */
  readonly escalation?: number | undefined
  /** More for the header line: of which blocks the text is put together … */
  readonly blocks?: HeaderFacts['blocks']
  /** … and a file with the original. */
  readonly file?: HeaderFacts['file']
}

export interface CompressTextOutput {
  /** What a model gets, header line included; the input itself when nothing shorter was found. */
  readonly text: string
  readonly strategy: string
  readonly kind: ContentKind
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly omitted: string | undefined
  readonly lossless: boolean
}

export type CompressText = (input: CompressTextInput) => CompressTextOutput

/** How often a strategy is asked again with less when its text plus header came out too long. */
const ATTEMPTS = 3

/**
 * Shortens a text to a budget: detects its kind, lets the strategies of that kind try in order, prose and a preview last,
 * and puts a header line before what comes out. The result is never over the budget and never longer than the text, which
 * passes unchanged when it fits (HTML excepted: there the main content as Markdown is the better form at any size).
 * `tokensBefore` is what the caller counted, or else exact up to 20,000 characters and an estimate above. A strategy that throws gives way to the next.
 */
export const compressText: CompressText = (input) => {
  const { text, budget } = input
  const kind = input.kind ?? detectKind(text)
  // A short text is counted once, for both: whether it fits, and what it is.
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

/** The strategies to try, in order. What only looked like JSON (or HTML, …) may still be a log or a table. */
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
  // JSON stays JSON after the header line, so there the summary stands in that line.
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

/** What a model writes has this name in headers and in the ledger. */
const MODEL = 'model'

/** What the header line says whatever the strategy. A path that would take a tenth of the budget is left out. */
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

/** Where the two are close, an estimate of the text's tokens is not enough to promise "never longer". */
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

/** Estimates that are this many times over the budget need no exact count. */
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

/** For budgets that not even a header line fits into: as much of the text as there is room for, and the id all the same. */
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
  // The mark may part what was one token before it.
  for (; tokensAfter > budget && room > 0; tokensAfter = countTokens(shown)) {
    room--
    shown = write()
  }
  const omitted = 'everything after the first tokens'
  return { text: shown, strategy: 'preview', kind, tokensBefore, tokensAfter, omitted, lossless: false }
}
