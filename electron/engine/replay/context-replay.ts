import type { JsonObject } from '../protocol/json-rpc.ts'
import type { TranscriptEvent } from '../transcripts/transcript.ts'
import { goalThen, type RequestOf } from './goal-then.ts'
import { HeldResult, type Outcome } from './held-result.ts'
import { promptTokens, RateSum, type RatesOf, type RequestRates } from './rates.ts'
import { alreadyShort } from './already-short.ts'
import type { MakeForms } from './make-forms.ts'
import { StringOwners, type FoundUse } from './string-owners.ts'
import { isFetch } from './treatment-then.ts'

type EventOf<Type extends TranscriptEvent['type']> = Extract<TranscriptEvent, { type: Type }>

export interface ReplayedResult {
  readonly call: string
  readonly tool: string
  readonly kind: string
  readonly at: number
  readonly tokens: number
  /** The same call followed within three requests. */
  readonly isRepeated: boolean
  readonly already: { readonly before: number; readonly after: number } | undefined
  readonly isFetch: boolean
  /** By each strategy; undefined: none shortens it. */
  readonly outcomes: readonly Outcome[] | undefined
}

interface Call {
  readonly tool: string
  readonly input: JsonObject
  readonly request: number
}

interface LastRequest {
  readonly prompt: number
  readonly output: number
  readonly rates: RequestRates
  /** Tokens of results since, and how many. */
  entered: number
  results: number
  others: number
}

/** Weights of a use, and what it needs: a call or an edit fails without it, an answer may be poorer. */
const ACTS = { weight: 3, need: 1 }
const ANSWERS = { weight: 1, need: 0.5 }
const NEAR_REQUESTS = 3
const MOST_CALLS = 2_000
/** Fewer steps say nothing. */
const FEW_RATIOS = 5
/** Shorter steps are mostly framing. */
const RATIO_FROM = 500
const RATIO = { least: 0.6, most: 2 }

/** One context of a session, event by event: what of each result was paid with each request, and what was used. */
export class ContextReplay {
  readonly #makeForms: MakeForms
  readonly #ratesOf: RatesOf
  readonly #requestOf: RequestOf
  readonly #done: (result: ReplayedResult) => void
  readonly #owners = new StringOwners()
  readonly #calls = new Map<string, Call>()
  readonly #recent = new Map<string, number>()
  readonly #sum = new RateSum()
  readonly #ratios: number[] = []
  #prompts: string[] = []
  #held: { result: HeldResult; isRepeated: boolean }[] = []
  #results = 0
  #requests = 0
  #last: LastRequest | undefined

  constructor(options: {
    makeForms: MakeForms
    ratesOf: RatesOf
    requestOf: RequestOf
    done: (result: ReplayedResult) => void
  }) {
    this.#makeForms = options.makeForms
    this.#ratesOf = options.ratesOf
    this.#requestOf = options.requestOf
    this.#done = options.done
  }

  prompt({ text }: EventOf<'prompt'>): void {
    this.#prompts = [...this.#prompts.slice(-2), text]
    this.#other(text)
  }

  context({ text }: EventOf<'context'>): void {
    this.#other(text)
  }

  /** Returns what it cost. */
  request(event: EventOf<'request'>): RequestRates {
    const { usage, at } = event
    const rates = this.#ratesOf(event)
    const prompt = promptTokens(usage)
    this.#calibrate(prompt)
    this.#requests++
    this.#leave(({ facts }) => facts.leavesAt !== undefined && facts.leavesAt <= at)
    this.#sum.add(rates.read)
    for (const { result } of this.#held.toReversed()) {
      if (!result.hasEntered) result.enter(rates.entry, this.#sum)
      else if (result.position === Infinity) {
        result.writeAgain(rates)
        result.position = Math.max(0, prompt - result.facts.tokens)
      } else if (result.isRead(usage.read)) break
      else result.writeAgain(rates)
    }
    this.#last = {
      prompt,
      output: usage.output,
      rates,
      entered: 0,
      results: 0,
      others: 0,
    }
    return rates
  }

  answer({ text }: EventOf<'answer'>): void {
    this.#use(this.#owners.usesIn(text), ANSWERS)
    this.#owners.noteKnown(text)
  }

  call({ id, tool, input }: EventOf<'call'>): void {
    for (const [key, text] of textsIn(input)) {
      this.#use(
        key === 'old_string' || key === 'oldString' ? this.#owners.editIn(text) : this.#owners.usesIn(text),
        ACTS,
      )
      this.#owners.noteKnown(text)
    }
    this.#calls.set(id, { tool, input, request: this.#requests })
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest)
  }

  result(event: EventOf<'result'>): void {
    const { tool, input } = this.#calls.get(event.call) ?? { tool: 'unknown', input: {} }
    const isRepeated = this.#isRepeated(tool, input)
    const already = alreadyShort(event.text)
    const made = this.#makeForms(
      {
        tool,
        input,
        isError: event.isError,
        text: event.text,
        isOwn: already !== undefined || isFetch(tool, input),
      },
      goalThen(this.#prompts, input, this.#requestOf),
    )
    const last = this.#last
    const position = last ? last.prompt + last.output + last.entered : 0
    if (last) {
      last.entered += made.tokens
      last.results++
    }
    const index = this.#results++
    if (!made.forms) {
      this.#owners.noteKnown(event.text)
      this.#done({
        call: event.call,
        tool,
        kind: made.kind,
        at: event.at,
        tokens: made.tokens,
        isRepeated,
        already,
        isFetch: isFetch(tool, input),
        outcomes: undefined,
      })
      return
    }
    const { leavesAt } = event
    const held = new HeldResult({
      ...made,
      forms: made.forms,
      call: event.call,
      tool,
      at: event.at,
      index,
      position,
      leavesAt,
    })
    this.#owners.noteResult(event.text, held)
    this.#held.push({ result: held, isRepeated })
  }

  boundary({ reason, kept, calls, oldest }: EventOf<'boundary'>): void {
    if (calls) this.#leave(({ facts }) => calls.includes(facts.call))
    else if (oldest !== undefined) this.#leave(({ facts }) => facts.index < oldest)
    else {
      this.#leave(({ facts }) => !(kept ?? []).includes(facts.call))
      for (const { result } of this.#held) result.position = Infinity
      if (reason !== 'rewind') this.#owners.clear()
      this.#last = undefined
    }
    if (this.#last) this.#last.others++
  }

  /** Returns the model's tokens for each of o200k_base, of steps with one result. */
  finish(): readonly number[] {
    this.#leave(() => true)
    return this.#ratios
  }

  #leave(leaves: (result: HeldResult) => boolean): void {
    const left = this.#held.filter(({ result }) => leaves(result))
    if (left.length === 0) return
    this.#held = this.#held.filter(({ result }) => !leaves(result))
    const ratio = this.#ratios.length < FEW_RATIOS ? 1 : median(this.#ratios)
    for (const { result, isRepeated } of left) {
      const { call, tool, kind, at, tokens } = result.facts
      const outcomes = result.outcomes(this.#sum, ratio)
      const facts = { call, tool, kind, at, tokens, isRepeated, already: undefined, isFetch: false }
      this.#done({ ...facts, outcomes })
    }
  }

  #other(text: string): void {
    if (this.#last) this.#last.others++
    this.#owners.noteKnown(text)
  }

  #use(uses: Iterable<FoundUse>, { weight, need }: typeof ACTS): void {
    const last = this.#last
    for (const { owner, isShown } of uses)
      if (last && owner.hasEntered) owner.use(weight, need, isShown, last, this.#sum)
  }

  /** What one result added to the prompt, by the provider's count. */
  #calibrate(prompt: number): void {
    const last = this.#last
    if (last?.results !== 1 || last.others > 0 || last.entered < RATIO_FROM) return
    const ratio = (prompt - last.prompt - last.output) / last.entered
    if (ratio >= RATIO.least && ratio <= RATIO.most) this.#ratios.push(ratio)
  }

  #isRepeated(tool: string, input: JsonObject): boolean {
    const key = `${tool} ${JSON.stringify(input)}`.slice(0, 2_000)
    const before = this.#recent.get(key)
    this.#recent.delete(key)
    this.#recent.set(key, this.#requests)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > 50 && oldest !== undefined) this.#recent.delete(oldest)
    return before !== undefined && this.#requests - before <= NEAR_REQUESTS
  }
}

function* textsIn(value: unknown, key = ''): Generator<readonly [key: string, text: string]> {
  if (typeof value === 'string') yield [key, value]
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, key)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) yield* textsIn(item, name)
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? 1
}
