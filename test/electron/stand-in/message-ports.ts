import { StrictEmitter } from './strict.ts'

/** The other end of a port: takes messages, and is told when this end closes. */
export interface OtherEnd {
  deliver(data: unknown): void
  disconnect(): void
}

/** MessagePortMain: queues until `start`, tells the other end when it closes. */
export class MessagePortMain extends StrictEmitter {
  readonly #waiting: unknown[] = []
  #started = false
  #closed = false
  #other: OtherEnd | undefined

  /** `link` gets the function that receives the other end's messages. */
  constructor(link: (self: OtherEnd) => OtherEnd) {
    super('MessagePortMain')
    this.#other = link({ deliver: (data) => this.#take(data), disconnect: () => this.#end() })
  }

  postMessage(message: unknown, transfer: readonly never[] = []): void {
    if (transfer.length > 0) throw new Error('The stand-in passes no ports through ports.')
    if (!this.#closed) this.#other?.deliver(structuredClone(message))
  }

  start(): void {
    this.#started = true
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] })
  }

  close(): void {
    const other = this.#other
    this.#end()
    other?.disconnect()
  }

  #take(data: unknown): void {
    if (this.#closed) return
    if (this.#started) this.emit('message', { data, ports: [] })
    else this.#waiting.push(data)
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#other = undefined
    this.emit('close')
  }
}
