import type { JsonObject } from '../protocol/json-rpc.ts'
import type { TranscriptApp, TranscriptEvent } from '../transcripts/transcript.ts'
import { goalThen, type RequestOf } from './goal-then.ts'
import { createMakeForms, type FormsOptions } from './make-forms.ts'

/** A result as it entered the context, and the form that Sluice makes. */
export interface FoundReplayed {
  readonly tool: string
  readonly text: string
  readonly form: string
  readonly before: number
  readonly after: number
  readonly strategy: string
  /** Of the content. */
  readonly kind: string
}

const PROMPTS = 3

/** Reads the session again up to this result: nothing of it was kept. */
export function findReplayed(
  events: Iterable<TranscriptEvent>,
  wanted: string,
  options: FormsOptions & { readonly app: TranscriptApp; readonly requestOf: RequestOf },
): FoundReplayed | undefined {
  const prompts = new Map<string, string[]>()
  let call: { tool: string; input: JsonObject } = { tool: 'unknown', input: {} }
  for (const event of events) {
    const agent = event.agent ?? ''
    if (event.type === 'prompt')
      prompts.set(agent, [...(prompts.get(agent) ?? []).slice(1 - PROMPTS), event.text])
    else if (event.type === 'call' && event.id === wanted) call = event
    else if (event.type === 'result' && event.call === wanted) {
      const { text, isError } = event
      const goal = goalThen(prompts.get(agent) ?? [], call.input, options.requestOf)
      const made = createMakeForms(options.app, options)({ ...call, isError, text, isOwn: false }, goal)
      const form = made.forms?.[0]
      return {
        tool: call.tool,
        text,
        form: form?.text ?? text,
        before: made.tokens,
        after: form?.tokens ?? made.tokens,
        strategy: form?.strategy ?? 'none',
        kind: made.kind,
      }
    }
  }
  return undefined
}
