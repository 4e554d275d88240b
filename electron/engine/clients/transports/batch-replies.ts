import type { JsonRpcMessage, RequestId } from '../../protocol/json-rpc.ts'

interface Batch {
  readonly open: Set<RequestId>
  readonly replies: JsonRpcMessage[]
}

/**
 * Gathers the answers to a JSON-RPC batch, which 2025-03-26 allows and which is answered by one array. The requests
 * themselves are handed on one by one.
 */
export class BatchReplies {
  readonly #batches = new Map<RequestId, Batch>()

  /** `replies` are answers that are known already, to elements that are no messages. */
  begin(ids: readonly RequestId[], replies: readonly JsonRpcMessage[]): void {
    const batch: Batch = { open: new Set(ids), replies: [...replies] }
    for (const id of ids) this.#batches.set(id, batch)
  }

  /** Keeps an answer back until its batch is complete: then all of them. Undefined when no batch waits for this id. */
  collect(id: RequestId, answer: JsonRpcMessage): 'held' | readonly JsonRpcMessage[] | undefined {
    const batch = this.#batches.get(id)
    batch?.replies.push(answer)
    return this.#settle(id, batch)
  }

  /** A cancelled request gets no answer; returns the others when it was the last one open. */
  cancel(id: RequestId): 'held' | readonly JsonRpcMessage[] | undefined {
    return this.#settle(id, this.#batches.get(id))
  }

  #settle(id: RequestId, batch: Batch | undefined): 'held' | readonly JsonRpcMessage[] | undefined {
    if (!batch) return undefined
    this.#batches.delete(id)
    batch.open.delete(id)
    return batch.open.size === 0 ? batch.replies : 'held'
  }
}
