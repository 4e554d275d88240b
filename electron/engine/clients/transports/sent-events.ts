import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'

export interface SentEventsOptions {
  /** For all sessions; estimated from text lengths. */
  readonly maxBytes?: number
  /** For resuming. */
  readonly keepMs?: number
  readonly now?: () => number
}

/** The SDK's name. */
export const STANDALONE = '_GET_stream'

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024
const FIVE_MINUTES_MS = 5 * 60_000
/** Unanswered (cancelled) requests would keep their stream forever. */
const LONGEST_CALL_MS = 24 * 3600_000
/** A flood must not evict answers on other streams. */
const MOST_PER_STREAM = 1000
const EVENT_BYTES = 256
const SWEEP_MS = 60_000

interface SentEvent {
  readonly stream: Stream
  readonly number: number
  readonly at: number
  /** Undefined for a stream's opening event. */
  readonly message: JSONRPCMessage | undefined
  readonly bytes: number
}

interface Stream {
  readonly id: StreamId
  readonly session: Map<StreamId, Stream>
  /** In order of sending. */
  readonly events: Set<SentEvent>
  isAnswered: boolean
}

/**
 * For `Last-Event-ID`. References, limited in size and time. An evicted answer becomes an error, so that its client
 * doesn't wait.
 */
export class SentEvents {
  readonly #maxBytes: number
  readonly #keepMs: number
  readonly #now: () => number
  readonly #events = new Set<SentEvent>()
  #bytes = 0
  #lastNumber = 0
  #sweeping: NodeJS.Timeout | undefined

  constructor({
    maxBytes = DEFAULT_MAX_BYTES,
    keepMs = FIVE_MINUTES_MS,
    now = Date.now,
  }: SentEventsOptions = {}) {
    this.#maxBytes = maxBytes
    this.#keepMs = keepMs
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  ofSession(): SessionEvents {
    const streams = new Map<StreamId, Stream>()
    const add = (streamId: StreamId, message: JSONRPCMessage | undefined): EventId =>
      this.#add(streams, streamId, message)
    return {
      storeEvent: async (streamId, message) => {
        // The stream was never open.
        if (streamId === STANDALONE && !streams.has(streamId)) return this.#nextId(streamId)
        return add(streamId, Object.keys(message).length === 0 ? undefined : message)
      },
      getStreamIdForEventId: async (eventId) => streams.get(streamOf(eventId))?.id,
      replayEventsAfter: async (eventId, { send }) => {
        const stream = streams.get(streamOf(eventId))
        const after = Number(eventId.slice(eventId.lastIndexOf('.') + 1))
        for (const { number, message } of stream?.events ?? [])
          if (number > after && message) await send(`${stream?.id}.${number}`, message)
        return stream?.id ?? ''
      },
      openStandalone: () => add(STANDALONE, undefined),
      forget: () => {
        for (const stream of streams.values()) this.#forget(stream)
        streams.clear()
      },
    }
  }

  #nextId(streamId: StreamId): EventId {
    return `${streamId}.${++this.#lastNumber}`
  }

  #add(session: Map<StreamId, Stream>, id: StreamId, message: JSONRPCMessage | undefined): EventId {
    const stream = session.get(id) ?? { id, session, events: new Set(), isAnswered: id === STANDALONE }
    session.set(id, stream)
    if (message && !('method' in message)) stream.isAnswered = true
    const eventId = this.#nextId(id)
    const bytes = EVENT_BYTES + (message === undefined ? 0 : estimateBytes(message))
    this.#put({ stream, number: this.#lastNumber, at: this.#now(), message, bytes })
    const [oldest] = stream.events
    if (oldest && stream.events.size > MOST_PER_STREAM) this.#drop(oldest)
    this.#makeRoom()
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
    return eventId
  }

  #makeRoom(): void {
    for (const event of this.#events) {
      if (this.#bytes <= this.#maxBytes) return
      const { stream, message } = event
      this.#drop(event)
      if (!message || 'method' in message) continue
      // If even the error has no room, the stream becomes unknown.
      if (event.bytes > EVENT_BYTES) this.#put({ ...event, message: madeRoom(message), bytes: EVENT_BYTES })
      else this.#forget(stream)
    }
  }

  #sweep(): void {
    const now = this.#now()
    for (const event of this.#events) {
      const age = now - event.at
      if (age < this.#keepMs) break
      const { stream } = event
      if (!stream.isAnswered && !event.message && age < LONGEST_CALL_MS) continue
      this.#drop(event)
      if (stream.events.size === 0) this.#forget(stream)
    }
    if (this.#events.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  #put(event: SentEvent): void {
    event.stream.events.add(event)
    this.#events.add(event)
    this.#bytes += event.bytes
  }

  #forget({ id, session, events }: Stream): void {
    for (const event of events) this.#drop(event)
    if (id !== STANDALONE) session.delete(id)
  }

  #drop(event: SentEvent): void {
    event.stream.events.delete(event)
    if (this.#events.delete(event)) this.#bytes -= event.bytes
  }
}

/** The SDK's event store, extended. */
export interface SessionEvents extends EventStore {
  openStandalone(): EventId
  forget(): void
}

const streamOf = (eventId: EventId): StreamId => eventId.slice(0, Math.max(0, eventId.lastIndexOf('.')))

function madeRoom(answer: JSONRPCMessage): JSONRPCMessage {
  const id = 'id' in answer ? answer.id : undefined
  const message =
    'The connection broke off before this answer was read, and Sluice could not keep it until you came back. The request was carried out; look before repeating it.'
  return { jsonrpc: '2.0', id: id ?? 0, error: { code: RpcErrorCode.internal, message } }
}

/** Text and name lengths plus a constant per part. */
export function estimateBytes(value: unknown): number {
  const waiting = [value]
  let bytes = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += typeof next === 'string' ? next.length : 8
    if (typeof next !== 'object' || next === null) continue
    for (const [name, part] of Object.entries(next)) {
      bytes += name.length
      if (part !== undefined) waiting.push(part)
    }
  }
  return bytes
}
