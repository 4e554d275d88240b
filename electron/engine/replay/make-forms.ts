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

/** The same file is read again and again: its forms are made once. */
const MOST_REMEMBERED = 100
const SMALL = 'small'

export interface FormsOptions {
  readonly treatmentOf: TreatmentOf
  readonly strategies: readonly Shortener[]
  readonly tokensOf: (text: string) => number
  readonly kindOf: (text: string) => string
}

/** What each strategy makes of a result. A strategy that throws, or saves too little, leaves it as it is. */
export function createMakeForms(app: TranscriptApp, options: FormsOptions): MakeForms {
  const { treatmentOf, strategies, tokensOf, kindOf } = options
  const remembered = new Map<string, MadeForms>()
  const make: MakeForms = ({ tool, input, isError, text, isOwn }, goal) => {
    const tokens = tokensOf(text)
    const treatment = isOwn ? undefined : treatmentOf({ app, tool, input, isError, text })
    if (!treatment || tokens <= treatment.threshold)
      return { tokens, kind: tokens < 200 ? SMALL : kindOf(text), pageTokens: 0, forms: undefined }
    const { budget, hint, strategy, leastSaved } = treatment
    const pays = (form: Shortened | undefined): form is Shortened =>
      form !== undefined && tokens - form.tokens >= Math.max(leastSaved.tokens, tokens * leastSaved.share)
    const asked = { text, tokens, budget, ...goal, hint, tool, command: stringIn(input, 'command'), strategy }
    let own: Shortened | undefined
    const forms = strategies.map((one, index) => {
      const form = attempt(() => one.shorten(asked, own))
      const kept = pays(form) ? form : undefined
      if (index === 0) own = kept
      return kept
    })
    const made = { tokens, kind: own?.kind ?? kindOf(text), pageTokens: budget }
    return { ...made, forms: forms.some((form) => form !== undefined) ? forms : undefined }
  }
  return (result, goal) => {
    if (result.text.length < 2_000) return make(result, goal)
    const key = `${keyOf(result.text)} ${result.text.length} ${keyOf(JSON.stringify(goal))} ${result.tool} ${keyOf(JSON.stringify(result.input))}`
    const known = remembered.get(key) ?? make(result, goal)
    remembered.delete(key)
    remembered.set(key, known)
    const [oldest] = remembered.keys()
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    return known
  }
}

function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
