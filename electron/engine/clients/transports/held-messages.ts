import type { SendOptions } from '../../protocol/channel.ts'
import type { JsonRpcMessage } from '../../protocol/json-rpc.ts'
import { isRequest } from '../../protocol/json-rpc.ts'
import { estimateBytes } from './sent-events.ts'

interface Held {
  readonly message: JsonRpcMessage
  readonly options: SendOptions | undefined
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export interface HeldMessagesOptions {
  readonly send: (message: JsonRpcMessage, options?: SendOptions) => Promise<void>
  /** Since the first message; clients open their stream right after initialisation, or never. */
  readonly keepMs?: number
  /** Shorter: the server waits. */
  readonly questionMs?: number
}

const KEEP_MS = 30_000
const QUESTION_MS = 3_000
const MOST = 1_000
const MOST_BYTES = 4_000_000

/** Until the client first listens. */
export class HeldMessages {
  readonly #options: HeldMessagesOptions
  readonly #held = new Set<Held>()
  #bytes = 0
  #hasEnded = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: HeldMessagesOptions) {
    this.#options = options
  }

  get isHolding(): boolean {
    return !this.#hasEnded
  }

  /** Rejects if the client never listens. */
  hold(message: JsonRpcMessage, options?: SendOptions): Promise<void> {
    const { keepMs = KEEP_MS, questionMs = QUESTION_MS } = this.#options
    this.#timer ??= setTimeout(() => this.giveUp(), keepMs).unref()
    return new Promise((resolve, reject) => {
      const held: Held = { message, options, bytes: estimateBytes(message), resolve, reject }
      this.#held.add(held)
      this.#bytes += held.bytes
      if (isRequest(message)) setTimeout(() => this.#drop(held), questionMs).unref()
      for (const oldest of this.#held) {
        if (this.#held.size <= MOST && this.#bytes <= MOST_BYTES) break
        this.#drop(oldest)
      }
    })
  }

  /** In order, before later messages. */
  deliver(): void {
    const held = this.#end()
    for (const { message, options, resolve, reject } of held)
      this.#options.send(message, options).then(resolve, reject)
  }

  giveUp(): void {
    for (const each of this.#end()) each.reject(undelivered(each.message))
  }

  #end(): readonly Held[] {
    const held = [...this.#held]
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#held.clear()
    return held
  }

  #drop(held: Held): void {
    if (!this.#held.delete(held)) return
    this.#bytes -= held.bytes
    held.reject(undelivered(held.message))
  }
}

export const undelivered = (message: JsonRpcMessage): Error =>
  new Error(
    `${'method' in message ? message.method : 'An answer'} can't be sent: the client has no stream open to hear it.`,
  )
