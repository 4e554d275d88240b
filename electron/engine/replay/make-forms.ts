import type { JsonObject } from '../protocol/json-rpc.ts'
import { stringIn } from '../protocol/json-rpc.ts'
import type { TranscriptApp } from '../transcripts/transcript.ts'
import type { Shortened, Shortener } from './shortener.ts'
import { keyOf } from './specific-strings.ts'
import type { GoalThen } from './goal-then.ts'
import type { TreatmentOf } from './treatment-then.ts'

interface ThenResult {
  readonly tool: string
  readonly input: JsonObject
  readonly isError: boolean
  readonly text: string
  /** Of Sluice: shortened already, or a part that was fetched. */
  readonly isOwn: boolean
}

interface MadeForms {
  readonly tokens: number
  readonly kind: string
  readonly pageTokens: number
  /** By each strategy; undefined: none shortens it. */
  readonly forms: readonly (Shortened | undefined)[] | undefined
}

export type MakeForms = (result: ThenResult, goal: GoalThen) => MadeForms

/** Below, making is as fast as remembering. */
const REMEMBERED_FROM = 2_000
const MOST_FORMS = 1_000
const MOST_COUNTS = 20_000
const SMALL = 'small'

export interface FormsOptions {
  readonly treatmentOf: TreatmentOf
  readonly strategies: readonly Shortener[]
  readonly tokensOf: (text: string) => number
  readonly kindOf: (text: string) => string
  /** For several sources with the same strategies. */
  readonly memory?: FormsMemory
}

/** The same text enters again and again, in several sessions, too: it is counted once, and shortened once for a goal. */
export interface FormsMemory {
  readonly counts: Map<string, Counted>
  readonly forms: Map<string, MadeForms>
}

interface Counted {
  readonly tokens: number
  kind?: string
}

export const formsMemory = (): FormsMemory => ({ counts: new Map(), forms: new Map() })

/** What each strategy makes of a result. A strategy that throws, or saves too little, leaves it as it is. */
export function createMakeForms(app: TranscriptApp, options: FormsOptions): MakeForms {
  const { treatmentOf, strategies, tokensOf, kindOf, memory = formsMemory() } = options
  return ({ tool, input, isError, text, isOwn }, goal) => {
    const key = text.length < REMEMBERED_FROM ? undefined : `${keyOf(text)} ${text.length}`
    const counted = remembered(memory.counts, key, MOST_COUNTS, (): Counted => ({ tokens: tokensOf(text) }))
    const kindOfText = (): string => (counted.kind ??= kindOf(text))
    const { tokens } = counted
    const treatment = isOwn ? undefined : treatmentOf({ app, tool, input, isError, text })
    if (!treatment || tokens <= treatment.threshold)
      return { tokens, kind: tokens < 200 ? SMALL : kindOfText(), pageTokens: 0, forms: undefined }
    const { budget, hint, strategy, leastSaved } = treatment
    const pays = (form: Shortened | undefined): form is Shortened =>
      form !== undefined && tokens - form.tokens >= Math.max(leastSaved.tokens, tokens * leastSaved.share)
    const asked = { budget, ...goal, hint, tool, command: stringIn(input, 'command'), strategy }
    const place = key && `${key} ${keyOf(JSON.stringify([asked, leastSaved]))}`
    return remembered(memory.forms, place, MOST_FORMS, () => {
      let own: Shortened | undefined
      const forms = strategies.map((one, index) => {
        const form = attempt(() => one.shorten({ ...asked, text, tokens }, own))
        const kept = pays(form) ? form : undefined
        if (index === 0) own = kept
        return kept
      })
      const made = { tokens, kind: own?.kind ?? kindOfText(), pageTokens: budget }
      return { ...made, forms: forms.some((form) => form !== undefined) ? forms : undefined }
    })
  }
}

/** The latest used are kept. */
function remembered<Value>(
  known: Map<string, Value>,
  key: string | undefined,
  most: number,
  make: () => Value,
): Value {
  if (key === undefined) return make()
  const value = known.get(key) ?? make()
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return value
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
