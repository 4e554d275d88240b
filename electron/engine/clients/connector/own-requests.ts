import { stringifyMessage } from '../../protocol/exact-message.ts'
import type { JsonObject, JsonRpcFailure, JsonRpcResult, RequestId } from '../../protocol/json-rpc.ts'

type Answer = JsonRpcResult | JsonRpcFailure

const PREFIX = 'sluice-rejoin:'

export class OwnRequests {
  readonly #waiting = new Map<
    RequestId,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >()
  #count = 0

  /** May answer an error; rejects if the engine ends first. */
  ask(send: (line: Buffer) => void, method: string, params: JsonObject | undefined): Promise<Answer> {
    const id = `${PREFIX}${++this.#count}`
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      send(Buffer.from(stringifyMessage({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) })))
    })
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  static is(id: RequestId): boolean {
    return typeof id === 'string' && id.startsWith(PREFIX)
  }

  answered(id: RequestId, answer: Answer): void {
    this.#waiting.get(id)?.resolve(answer)
    this.#waiting.delete(id)
  }

  lost(error: Error): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}
