import { z } from 'zod'
import { messageOf } from '../ground/errors.ts'
import { ChatError, answerOf, asSentence, type ChatAnswer, type ReceivedChat } from './chat-answer.ts'
import { readStream } from './read-stream.ts'

/** OpenAI's chat completions API: llama.cpp, Ollama, LM Studio, vLLM, cloud services. */
export interface ChatEndpoint {
  /** Up to and with `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
}

export interface ChatQuestion {
  readonly system: string
  readonly user: string
  readonly maxTokens: number
  readonly extra?: Readonly<Record<string, unknown>> | undefined
  readonly signal: AbortSignal
}

const Usage = z.looseObject({
  prompt_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
})
const Whole = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullable().optional() }),
        finish_reason: z.string().nullable().optional(),
      }),
    )
    .min(1),
  usage: Usage.nullish(),
})

const READ_ERROR_CHARACTERS = 20_000
const QUOTED_CHARACTERS = 300

/** Streams, to detect a stalled server; also accepts a whole answer. Rejects with ChatError or the signal's reason. */
export async function askChat(
  endpoint: ChatEndpoint,
  question: ChatQuestion,
  { fetch }: { fetch: typeof globalThis.fetch },
): Promise<ChatAnswer> {
  const start = performance.now()
  let hasBegun = false
  try {
    const response = await fetch(`${endpoint.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...(endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
      },
      body: JSON.stringify({
        model: endpoint.model,
        temperature: 0,
        max_tokens: question.maxTokens,
        stream: true,
        stream_options: { include_usage: true },
        messages: [
          { role: 'system', content: question.system },
          { role: 'user', content: question.user },
        ],
        ...question.extra,
      }),
      // The text is for this address only.
      redirect: 'error',
      signal: question.signal,
    })
    hasBegun = true
    if (!response.ok) throw await refused(response, endpoint)
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
    return isStream
      ? await readStream(response, { start, maxTokens: question.maxTokens })
      : toAnswer(await response.json())
  } catch (error) {
    question.signal.throwIfAborted()
    if (error instanceof ChatError) throw error
    if (error instanceof SyntaxError || error instanceof z.ZodError) {
      throw new ChatError('nonsense', "Its answer isn't a chat completion.", { cause: error })
    }
    throw new ChatError(hasBegun ? 'cut' : 'network', asSentence(reasonOf(error)), { cause: error })
  }
}

function toAnswer(value: unknown): ChatAnswer {
  const { choices, usage } = Whole.parse(value)
  const received: ReceivedChat = {
    text: choices[0]?.message.content ?? '',
    finish: choices[0]?.finish_reason ?? undefined,
    usage: usage ?? undefined,
  }
  return answerOf(received, undefined)
}

async function refused(response: Response, { apiKey }: ChatEndpoint): Promise<ChatError> {
  const body = await response.text().catch(() => '')
  const explanation = explanationIn(body.slice(0, READ_ERROR_CHARACTERS)).slice(0, QUOTED_CHARACTERS)
  // Some servers repeat what they were sent.
  const quoted = apiKey === undefined || apiKey === '' ? explanation : explanation.replaceAll(apiKey, '…')
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const message = asSentence(`It answered ${response.status}${quoted === '' ? '' : `: ${quoted}`}`)
  return new ChatError('refused', message, {
    status: response.status,
    ...(Number.isFinite(seconds) ? { retryAfterMs: Math.max(0, seconds * 1000) } : {}),
  })
}

const ErrorBody = z.union([
  z.looseObject({ error: z.looseObject({ message: z.string() }) }).transform(({ error }) => error.message),
  z.looseObject({ error: z.string() }).transform(({ error }) => error),
])

function explanationIn(body: string): string {
  try {
    const parsed = ErrorBody.safeParse(JSON.parse(body))
    if (parsed.success) return parsed.data
  } catch {
    // Possibly an error page: quoted unchanged.
  }
  return body.trim()
}

/** fetch hides it in the cause. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? messageOf(error.cause) : messageOf(error)
