import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'

export interface SentEventsOptions {
  /** Of all sessions together, as estimated from the lengths of texts. */
  readonly maxBytes?: number
  /** How long a sent event can be requested again. */
  readonly keepMs?: number
  readonly now?: () => number
}

/** The SDK's name for a session's stream without request. */
export const STANDALONE = '_GET_stream'

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024
const FIVE_MINUTES_MS = 5 * 60_000
/** Unanswered (cancelled) requests would keep their stream forever. */
const LONGEST_CALL_MS = 24 * 3600_000
/** So that a flood on one stream doesn't evict answers on others. */
const MOST_PER_STREAM = 1000
const EVENT_BYTES = 256
const SWEEP_MS = 60_000

interface SentEvent {
  readonly stream: Stream
  readonly number: number
  readonly at: number
  /** Undefined for events that only tell the client where the stream starts. */
  readonly message: JSONRPCMessage | undefined
  readonly bytes: number
}

interface Stream {
  readonly id: StreamId
  readonly session: Map<StreamId, Stream>
  /** In the order in which they were sent. */
  readonly events: Set<SentEvent>
  isAnswered: boolean
}

/**
 * Messages sent over Streamable HTTP, for clients that resume with `Last-Event-ID`. References, limited in size and
 * time. An evicted answer becomes an error, so that its client doesn't wait.
 */
export class SentEvents {
  readonly #maxBytes: number
  readonly #keepMs: number
  readonly #now: () => number
  /** Of all sessions, oldest first. */
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

  /** How much is held, as `maxBytes` counts it. */
  get bytes(): number {
    return this.#bytes
  }

  ofSession(): SessionEvents {
    const streams = new Map<StreamId, Stream>()
    const add = (streamId: StreamId, message: JSONRPCMessage | undefined): EventId =>
      this.#add(streams, streamId, message)
    return {
      storeEvent: async (streamId, message) => {
        // Nobody can name an event of a stream that was never open.
        if (streamId === STANDALONE && !streams.has(streamId)) return this.#nextId(streamId)
        // The SDK stores an empty message for a stream's opening event.
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
      // Keep a stream's start until its answer.
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

/** The SDK's event store of a session, plus what the SDK lacks. */
export interface SessionEvents extends EventStore {
  /** Opening event of the session's stream: later messages are stored. */
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

/** Estimates bytes: text and name lengths plus a constant per part. */
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
