export interface ChatAnswer {
  readonly text: string
  readonly promptTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly isCut: boolean
  /** Milliseconds until the first piece of text; undefined for an answer that came as a whole. */
  readonly firstMs: number | undefined
}

export type ChatFault =
  /** It could not be reached. */
  | 'network'
  /** It broke off in the middle of its answer. */
  | 'cut'
  /** It answered with an error status. */
  | 'refused'
  /** It answered something that is no chat completion. */
  | 'nonsense'

/** Why a chat endpoint gave no answer. Its message names neither the address nor the key. */
export class ChatError extends Error {
  readonly fault: ChatFault
  readonly status: number | undefined
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    fault: ChatFault,
    message: string,
    more: { status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'ChatError'
    this.fault = fault
    this.status = more.status
    this.retryAfterMs = more.retryAfterMs
  }
}

/** Another sentence may follow. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** What was heard of an answer, whole or piece by piece. */
export interface Heard {
  readonly text: string
  readonly finish: string | undefined
  readonly usage: { prompt_tokens?: number | undefined; completion_tokens?: number | undefined } | undefined
}

export const answerOf = ({ text, finish, usage }: Heard, firstMs: number | undefined): ChatAnswer => ({
  text,
  promptTokens: usage?.prompt_tokens,
  outputTokens: usage?.completion_tokens,
  isCut: finish === 'length',
  firstMs,
})
