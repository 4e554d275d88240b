import type { JsonRpcMessage, RequestId } from '../../protocol/json-rpc.ts'

interface Batch {
  readonly open: Set<RequestId>
  readonly replies: JsonRpcMessage[]
}

/** JSON-RPC batches exist in 2025-03-26 only. */
export class BatchReplies {
  readonly #batches = new Map<RequestId, Batch>()

  /** `replies`: to elements that aren't messages. */
  begin(ids: readonly RequestId[], replies: readonly JsonRpcMessage[]): void {
    const batch: Batch = { open: new Set(ids), replies: [...replies] }
    for (const id of ids) this.#batches.set(id, batch)
  }

  /** Returns all once the batch is complete; undefined without a batch. */
  collect(id: RequestId, answer: JsonRpcMessage): 'held' | readonly JsonRpcMessage[] | undefined {
    const batch = this.#batches.get(id)
    batch?.replies.push(answer)
    return this.#settle(id, batch)
  }

  /** Cancelled requests have no answer; returns the others after the last. */
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
