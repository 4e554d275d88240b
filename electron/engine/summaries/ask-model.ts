import type { CompressTextOutput } from '../compression/compress-text.ts'
import { planReading, type ReadingPlan } from './plan-reading.ts'
import { bareAnswer, promptFor, splitText, type Question } from './prompts.ts'
import { NoSummary, type SummaryInput, type SummaryOptions, type Writer } from './summary-types.ts'

export interface AskedModel {
  readonly answer: string
  /** Verbatim. */
  readonly read: readonly string[]
}

const TEMPLATE_TOKENS = 40
const CHARACTERS_PER_TOKEN = 4
/** Model tokens per o200k token until measured: older and smaller vocabularies need more. */
const USUAL_RATIO = 1.25
const LEAST_RATIO = 0.7
const MOST_RATIO = 8
/** The document's beginning predicts the rest only roughly. */
const MARGIN = 1.1
/** Models count words badly, and are cut off at their token limit. */
const WORDS_PER_TOKEN = 0.6
const ROOM_TO_END = 1.3

/** Reduces the document to what the model can read in time, then summarises that. */
export async function askModel(
  options: SummaryOptions,
  writer: Writer,
  input: SummaryInput,
  wanted: {
    /** In o200k. */
    readonly tokens: number
    readonly before: Pick<CompressTextOutput, 'kind' | 'tokensBefore'>
    readonly pace: number
    /** Milliseconds, checked before each request. */
    readonly left: () => number
    readonly signal: AbortSignal
  },
): Promise<AskedModel> {
  const { before, signal } = wanted
  const capacity = writer.model.capacity()
  const ratio = tokenRatio(input.text.length / Math.max(1, before.tokensBefore), capacity.charactersPerToken)
  const { goal, wish } = input
  const question: Omit<Question, 'of'> = {
    kind: before.kind,
    goal,
    instructions: wish.instructions,
    form: wish.form,
    words: wanted.tokens,
  }
  const rules = promptFor({ ...question, of: 'part' }, '')
  const around =
    (rules.system.length + rules.prompt.length) / (capacity.charactersPerToken ?? CHARACTERS_PER_TOKEN)
  const plan = planReading({
    capacity,
    longestPrompt: options.longestPrompt,
    slowdownAt: options.slowdownAt,
    documentTokens: Math.ceil(before.tokensBefore * ratio),
    outputTokens: Math.ceil(wanted.tokens * Math.max(1, ratio) * ROOM_TO_END),
    aroundTokens: TEMPLATE_TOKENS + Math.ceil(around),
    withinMs: wanted.left(),
    pace: wanted.pace,
  })
  if ('reason' in plan) {
    throw new NoSummary(`the model is too slow or too small: ${plan.reason}`, { isSettled: false })
  }

  const document = await reduced(options, input, plan, { before, ratio, signal })
  const texts = [document, goal ?? '', wish.instructions ?? '']
  const masked = writer.isMasked ? await options.mask(texts) : { texts, restore: (text: string) => text }
  const [shown = '', maskedGoal = '', instructions = ''] = masked.texts
  const ask = (of: Question['of'], text: string): Promise<string> =>
    askOnce(writer, text, wanted, {
      maxTokens: plan.outputTokens,
      question: {
        ...question,
        goal: maskedGoal === '' ? undefined : maskedGoal,
        instructions: instructions === '' ? undefined : instructions,
        words: Math.max(10, Math.floor(Math.min(wanted.tokens, plan.outputTokens / ratio) * WORDS_PER_TOKEN)),
        of,
      },
    })
  const parts = splitText(shown, plan.parts)
  const answer =
    parts.length === 1
      ? await ask('document', shown)
      : await ask('notes', await notesOn(parts, (part) => ask('part', part)))
  return { answer: masked.restore(answer), read: [document, goal ?? ''] }
}

async function notesOn(parts: readonly string[], ask: (part: string) => Promise<string>): Promise<string> {
  const asked = await Promise.allSettled(parts.map(ask))
  const notes = asked.flatMap((each) =>
    each.status === 'fulfilled' && each.value !== '' ? [each.value] : [],
  )
  const failed = asked.find((each) => each.status === 'rejected')
  if (failed && notes.length * 2 < parts.length) throw failed.reason
  return notes.join('\n\n')
}

function tokenRatio(charactersPerO200k: number, charactersPerToken: number | undefined): number {
  if (charactersPerToken === undefined) return USUAL_RATIO
  return Math.min(MOST_RATIO, Math.max(LEAST_RATIO, (charactersPerO200k / charactersPerToken) * MARGIN))
}

async function reduced(
  { compress }: SummaryOptions,
  { text, goal, kind }: SummaryInput,
  plan: ReadingPlan,
  {
    before,
    ratio,
    signal,
  }: { before: Pick<CompressTextOutput, 'kind' | 'tokensBefore'>; ratio: number; signal: AbortSignal },
): Promise<string> {
  const budget = Math.floor((plan.promptTokens * plan.parts) / ratio)
  if (before.tokensBefore <= budget) return text
  const output = await compress({ text, goal, kind, budget }, signal)
  // The header line is for clients.
  return output.strategy === 'none' ? text : output.text.replace(/^\[Compressed: [^\n]*\n\n/, '')
}

async function askOnce(
  { model }: Writer,
  document: string,
  { left, signal }: { left: () => number; signal: AbortSignal },
  { question, maxTokens }: { question: Question; maxTokens: number },
): Promise<string> {
  const { system, prompt, mark } = promptFor(question, document)
  const done = await model.complete({ system, prompt, maxTokens, signal, timeLimitMs: Math.max(1, left()) })
  if (done.isCut)
    throw new NoSummary(`the model's answer was over the budget (it did not end within ${maxTokens} tokens)`)
  return bareAnswer(done.text, mark)
}
