import { setTimeout as sleep } from 'node:timers/promises'
import { askChat } from '../../chat-endpoint/ask-chat.ts'
import { ChatError, type ChatAnswer } from '../../chat-endpoint/chat-answer.ts'
import { withoutThoughts } from '../../chat-endpoint/without-thoughts.ts'
import { SluiceError, messageOf } from '../../ground/errors.ts'
import { createCompletionQueue } from '../completion-queue.ts'
import { blend } from '../blend.ts'
import type { Completion, CompletionRequest, ModelCapacity, TextModel } from '../text-model.ts'

export interface EndpointSettings {
  /** Up to and with `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly contextTokens: number | undefined
  readonly retries: number
  /** Parallel requests. */
  readonly concurrency: number
  /** Merged into each request's body. */
  readonly extra: Readonly<Record<string, unknown>>
}

export interface EndpointModelOptions {
  readonly settings: EndpointSettings
  /** Called per request, because the user may change it. */
  readonly apiKey: () => Promise<string | undefined>
  readonly timeLimitMs: () => number
  readonly fetch: typeof fetch
  /** For the speed, if the server doesn't count tokens. Absent: unknown speed. */
  readonly countTokens?: ((text: string) => Promise<number>) | undefined
}

const FIRST_PAUSE_MS = 500
const WORTH_REPEATING = new Set([408, 425, 429, 500, 502, 503, 504])

/** Behind an OpenAI-compatible address. */
export function createEndpointModel(options: EndpointModelOptions): TextModel & { close(): void } {
  const { settings, fetch } = options
  const queue = createCompletionQueue(settings.concurrency)
  let charactersPerToken: number | undefined
  let promptTokensPerSecond: number | undefined
  let outputTokensPerSecond: number | undefined
  /** This server's deviating parameters. */
  let dialect: Readonly<Record<string, unknown>> = {}

  const askOnce = async (request: CompletionRequest, signal: AbortSignal): Promise<ChatAnswer> => {
    const { system, prompt: user, maxTokens } = request
    const apiKey = await options.apiKey()
    const extra = { ...forGrammar(request), ...adapted(dialect, maxTokens), ...settings.extra }
    return askChat({ ...settings, apiKey }, { system, user, maxTokens, extra, signal }, { fetch })
  }
  const askUntilAnswered = async (request: CompletionRequest, signal: AbortSignal): Promise<ChatAnswer> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await askOnce(request, signal)
      } catch (error) {
        signal.throwIfAborted()
        const learned = dialectFrom(error, dialect)
        if (learned) {
          dialect = learned
        } else if (attempt >= settings.retries || !isWorthRepeating(error)) {
          throw explained(error, settings)
        } else {
          const asked = error instanceof ChatError ? error.retryAfterMs : undefined
          await sleep(asked ?? FIRST_PAUSE_MS * 2 ** attempt, undefined, { signal }).catch(() =>
            signal.throwIfAborted(),
          )
        }
      }
    }
  }
  const count = options.countTokens
  const counted = async (request: CompletionRequest, { text, ...answer }: ChatAnswer) => ({
    promptTokens: answer.promptTokens ?? (await count?.(`${request.system}\n${request.prompt}`)),
    outputTokens: answer.outputTokens ?? (await count?.(text)),
  })
  const learn = async (request: CompletionRequest, answer: ChatAnswer, ms: number): Promise<void> => {
    const { firstMs } = answer
    const { promptTokens, outputTokens } = await counted(request, answer)
    if (promptTokens === undefined || promptTokens < 1) return
    charactersPerToken = blend(
      charactersPerToken,
      (request.system.length + request.prompt.length) / promptTokens,
    )
    // An unstreamed answer doesn't separate reading from writing.
    if (firstMs === undefined) return
    if (promptTokens >= 64)
      promptTokensPerSecond = blend(promptTokensPerSecond, (promptTokens * 1000) / firstMs)
    if (outputTokens !== undefined && outputTokens >= 8 && ms > firstMs) {
      outputTokensPerSecond = blend(outputTokensPerSecond, (outputTokens * 1000) / (ms - firstMs))
    }
  }

  return {
    key: `endpoint:${settings.baseUrl}:${settings.model}`,
    isRemote: !isLoopback(settings.baseUrl),
    complete: async (request): Promise<Completion> => {
      const start = performance.now()
      const answer = await queue.take(
        async (signal) => {
          const asked = performance.now()
          const received = await askUntilAnswered(request, signal)
          return { ...received, askedMs: performance.now() - asked }
        },
        {
          signal: request.signal,
          priority: request.priority,
          timeLimitMs: request.timeLimitMs ?? options.timeLimitMs(),
        },
      )
      const ms = performance.now() - start
      // A counting failure must not lose the answer.
      await learn(request, answer, answer.askedMs).catch(() => {})
      const { promptTokens, outputTokens, isCut } = answer
      return { text: withoutThoughts(answer.text), promptTokens, outputTokens, isCut, ms }
    },
    capacity: (): ModelCapacity => ({
      contextTokens: settings.contextTokens,
      promptTokensPerSecond,
      outputTokensPerSecond,
      charactersPerToken,
    }),
    close: () =>
      queue.close(
        new SluiceError(
          'MODEL_UNAVAILABLE',
          'The model was closed: the settings name another one, or Sluice ends.',
        ),
      ),
  }
}

function forGrammar({ grammar }: CompletionRequest): Record<string, unknown> {
  if (grammar === undefined) return {}
  if ('gbnf' in grammar) return { grammar: grammar.gbnf }
  const schema = { name: 'answer', schema: grammar.jsonSchema, strict: true }
  return { response_format: { type: 'json_schema', json_schema: schema } }
}

const adapted = (dialect: Readonly<Record<string, unknown>>, maxTokens: number): Record<string, unknown> => ({
  ...dialect,
  ...('max_completion_tokens' in dialect ? { max_tokens: undefined, max_completion_tokens: maxTokens } : {}),
})

/** Newer cloud models reject the limit's name or the temperature, and report it. Undefined: another error. */
function dialectFrom(
  error: unknown,
  known: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  if (!(error instanceof ChatError) || error.status !== 400) return undefined
  if (/max_completion_tokens/.test(error.message) && !('max_completion_tokens' in known)) {
    return { ...known, max_completion_tokens: true }
  }
  if (/temperature/.test(error.message) && !('temperature' in known))
    return { ...known, temperature: undefined }
  if (/stream_options/.test(error.message) && !('stream_options' in known)) {
    return { ...known, stream_options: undefined }
  }
  return undefined
}

const isWorthRepeating = (error: unknown): boolean =>
  error instanceof ChatError &&
  (error.fault === 'network' ||
    error.fault === 'cut' ||
    (error.status !== undefined && WORTH_REPEATING.has(error.status)))

function explained(error: unknown, { baseUrl, model }: EndpointSettings): SluiceError {
  const at = `The model "${model}" at ${baseUrl}`
  if (!(error instanceof ChatError)) {
    return new SluiceError('MODEL_UNAVAILABLE', `${at} can't be asked: ${messageOf(error)}`, { cause: error })
  }
  const { status, fault, message } = error
  if (fault === 'network') {
    return new SluiceError(
      'MODEL_UNAVAILABLE',
      `${at} can't be reached: ${message} Check the address, and that the server runs.`,
      { cause: error },
    )
  }
  if (fault === 'cut') {
    return new SluiceError(
      'MODEL_UNAVAILABLE',
      `${at} broke off in the middle of its answer: ${message} Its own log may say why.`,
      { cause: error },
    )
  }
  const advice =
    status === 401 || status === 403
      ? ' Check the key on the Models screen.'
      : status === 404
        ? ' Check the address (it ends with /v1) and the name of the model.'
        : ''
  const code = fault === 'nonsense' || status === 400 || status === 413 ? 'MODEL_FAILED' : 'MODEL_UNAVAILABLE'
  return new SluiceError(code, `${at} gave no answer. ${message}${advice}`, { cause: error })
}

/** Nothing leaves this machine. */
export function isLoopback(baseUrl: string): boolean {
  try {
    const { hostname } = new URL(baseUrl)
    return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  } catch {
    return false
  }
}
