export interface ChatAnswer {
  readonly text: string
  readonly promptTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly isCut: boolean
  readonly firstMs: number | undefined
}

export type ChatFault =
  /** Unreachable. */
  | 'network'
  /** Interrupted. */
  | 'cut'
  /** Error status. */
  | 'refused'
  /** Not a chat completion. */
  | 'nonsense'

/** The message contains neither address nor key. */
export class ChatError extends Error {
  readonly fault: ChatFault
  readonly status: number | undefined
  /** Requested by the server. */
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

/** So that another sentence may follow. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** Of an answer, so far. */
export interface ReceivedChat {
  readonly text: string
  readonly finish: string | undefined
  readonly usage: { prompt_tokens?: number | undefined; completion_tokens?: number | undefined } | undefined
}

export const answerOf = ({ text, finish, usage }: ReceivedChat, firstMs: number | undefined): ChatAnswer => ({
  text,
  promptTokens: usage?.prompt_tokens,
  outputTokens: usage?.completion_tokens,
  isCut: finish === 'length',
  firstMs,
})
