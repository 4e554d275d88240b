import { randomUUID } from 'node:crypto'
import { isJsonObject, isVersionless, type JsonObject, type JsonRpcMessage } from './json-rpc.ts'

interface Held {
  readonly message: JsonObject
  readonly at: number
}

/** A transport returns a placeholder within moments, unless its request was just cancelled. */
const KEPT_MS = 60_000

/**
 * The SDK's transports rebuild messages by schema, which changes key order and numbers' source texts. They get a
 * small message; the output is restored.
 */
export class PlaceholderMessages {
  /** Unguessable. */
  readonly #field = `sluice/${randomUUID()}`
  readonly #held = new Map<number, Held>()
  #last = 0

  of(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.of(each))
    if (isVersionless(value)) return this.#placeholder(value)
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? this.#placeholder(value) : value
  }

  restore(message: JsonRpcMessage): JsonRpcMessage {
    const key = this.#keyIn(message)
    const held = key === undefined ? undefined : this.#held.get(key)
    if (key === undefined || held === undefined) return message
    this.#held.delete(key)
    return held.message as unknown as JsonRpcMessage
  }

  #placeholder(message: JsonObject): unknown {
    const { id, method, params } = message
    const hasId = typeof id === 'string' || typeof id === 'number'
    if (id !== undefined && !hasId) return message
    const frame = { jsonrpc: '2.0', ...(hasId ? { id } : {}) }
    if (typeof method === 'string') {
      if (params !== undefined && !isJsonObject(params)) return message
      // Transports read `initialize`.
      const shown = method === 'initialize' ? params : {}
      return { ...frame, method, params: { ...shown, ...this.#hold(message) } }
    }
    if ('error' in message) return { ...frame, error: { code: 0, message: '', data: this.#hold(message) } }
    // Also with neither result nor error: the receiver reports that better.
    return hasId ? { ...frame, result: this.#hold(message) } : message
  }

  #hold(message: JsonObject): JsonObject {
    const now = performance.now()
    for (const [key, { at }] of this.#held) {
      if (now - at < KEPT_MS) break
      this.#held.delete(key)
    }
    const key = ++this.#last
    this.#held.set(key, { message, at: now })
    return { [this.#field]: key }
  }

  #keyIn(message: JsonRpcMessage): number | undefined {
    const parts: Partial<Record<'params' | 'result' | 'error', unknown>> = message
    const data = isJsonObject(parts.error) ? parts.error['data'] : undefined
    for (const part of [parts.params, parts.result, data]) {
      const key = isJsonObject(part) ? part[this.#field] : undefined
      if (typeof key === 'number') return key
    }
    return undefined
  }
}
