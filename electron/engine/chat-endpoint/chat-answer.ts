export interface ChatAnswer {
  readonly text: string
  readonly promptTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly isCut: boolean
  /** Milliseconds until the first text; undefined for an unstreamed answer. */
  readonly firstMs: number | undefined
}

export type ChatFault =
  /** It could not be reached. */
  | 'network'
  /** The answer was interrupted. */
  | 'cut'
  /** It answered with an error status. */
  | 'refused'
  /** The answer isn't a chat completion. */
  | 'nonsense'

/** Why a chat endpoint gave no answer. The message contains neither address nor key. */
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

/** The received part of an answer. */
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
