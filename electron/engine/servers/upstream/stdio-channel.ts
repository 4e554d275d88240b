import { setTimeout as wait } from 'node:timers/promises'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import { keepIds, parseMessage, stringifyMessage } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage, RequestId } from '../../protocol/json-rpc.ts'
import { isJsonObject, isVersionless } from '../../protocol/json-rpc.ts'
import { LineReader } from '../../protocol/line-reader.ts'
import { createLineWriter, type LineWriter } from '../../protocol/line-writer.ts'
import type { LargeLine } from '../../protocol/line-reader.ts'
import { salvageId } from '../../protocol/salvage-id.ts'
import { isTooDeep } from '../../protocol/too-deep.ts'
import { isWrittenInTurns, writeInTurns } from '../../protocol/write-in-turns.ts'
import { waitForDrain } from '../../protocol/wait-for-drain.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import { tooLarge } from '../../work/large-messages.ts'
import { largestNear } from '../../work/near.ts'
import { ReadingRoom, type Place } from '../../work/reading-room.ts'
import type { ProcessExit, ProcessGroup } from './process-group.ts'
import type { ServerLog } from './server-log.ts'

export interface StdioChannelOptions {
  readonly group: ProcessGroup
  readonly log: ServerLog
  /** A longer line fails its request. */
  readonly maxMessageBytes: number
  readonly parseLarge: ParseLarge
  /** Shared by servers. */
  readonly room?: ReadingRoom | undefined
  readonly onAnswerLost: (id: RequestId, error: Error) => void
}

const LAST_OUTPUT_MS = 300
const EXIT_MS = 100

/** One JSON-RPC message per line. Other stdout goes to the server's log. */
export class StdioChannel implements MessageChannel {
  onmessage?: MessageChannel['onmessage']
  onclose?: MessageChannel['onclose']
  onerror?: MessageChannel['onerror']
  readonly #options: StdioChannelOptions
  readonly #drained: () => Promise<void>
  readonly #writer: LineWriter
  readonly #reader: LineReader
  readonly #place: Place
  /** Lines after one parsed in a worker, to keep order. */
  readonly #backlog: (Buffer | LargeLine)[] = []
  #draining: Promise<void> | undefined
  /** Last chunked message: nothing may be written in between. */
  #writing: Promise<void> | undefined
  #isClosed = false
  #isDeaf = false
  #exit: ProcessExit | undefined

  constructor(options: StdioChannelOptions) {
    this.#options = options
    this.#drained = waitForDrain(options.group.stdin)
    this.#writer = createLineWriter(options.group.stdin, this.#drained)
    this.#place = (options.room ?? new ReadingRoom()).place()
    const { maxMessageBytes } = options
    this.#reader = new LineReader({
      maxLineBytes: maxMessageBytes,
      onLine: (line) => this.#receive(line),
      onOversized: (line) => this.#loseAnswer(line, tooLarge(line.bytes, maxMessageBytes)),
      large: { from: largestNear('parse'), onLine: (line) => this.#wait(line) },
    })
  }

  /** Undefined while running, or if ended for not reading input. */
  get exit(): ProcessExit | undefined {
    return this.#isDeaf ? undefined : this.#exit
  }

  async start(): Promise<void> {
    const { group, log } = this.#options
    log.readStderr(group.stderr)
    group.stdout.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk)
      if (!this.#draining) this.#readOn()
    })
    const outputEnded = new Promise<void>((resolve) => {
      group.stdout.once('close', () => {
        this.#reader.end()
        resolve()
      })
    })
    group.stdin.once('close', () => void this.#inputClosed())
    void this.#watch(outputEnded)
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.')
    if (this.#writing || isWrittenInTurns(message)) return this.#sendInTurns(message)
    // Write failures show in the exit, which has the reason.
    const draining = this.#writer.write(stringifyMessage(message))
    if (draining) await draining.catch(() => {})
  }

  async #sendInTurns(message: JsonRpcMessage): Promise<void> {
    const { stdin } = this.#options.group
    this.#writer.flush()
    const before = this.#writing
    const write = async (): Promise<void> => {
      await before
      await writeInTurns(stdin, message, this.#drained)
    }
    let failure: unknown
    const written = write().catch((error: unknown) => void (failure = error))
    this.#writing = written
    await written
    if (this.#writing === written) this.#writing = undefined
    // Other failures show in the exit.
    if (isTooDeep(failure)) throw failure
  }

  /** Resolves when confirmed. */
  async close(): Promise<void> {
    this.#writer.flush()
    const confirmed = await this.#options.group.end()
    this.#close()
    if (!confirmed)
      this.onerror?.(new Error(`Process group ${this.#options.group.pid} did not end, not even by SIGKILL.`))
  }

  /** A server that closed its input is unusable, even if alive. */
  async #inputClosed(): Promise<void> {
    const { group } = this.#options
    await Promise.race([group.exited, wait(EXIT_MS)])
    this.#isDeaf = this.#exit === undefined
    await group.end()
  }

  async #watch(outputEnded: Promise<void>): Promise<void> {
    const { group } = this.#options
    this.#exit = await group.exited
    void group.end()
    // What is left is no more than the pipe holds.
    this.#place.leave()
    do {
      await this.#draining
      await Promise.race([outputEnded, wait(LAST_OUTPUT_MS)])
    } while (this.#draining)
    this.#close()
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#place.leave()
    this.onclose?.()
  }

  /** Unread output stays in the pipe, which blocks the server. */
  #readOn(): void {
    const { stdout } = this.#options.group
    const room = this.#place.read(this.#reader.unfinishedBytes)
    if (!room) {
      stdout.resume()
      return
    }
    stdout.pause()
    void this.#readAfter(room)
  }

  async #readAfter(room: Promise<void>): Promise<void> {
    await room
    if (!this.#draining) this.#readOn()
  }

  #receive(line: Buffer): void {
    if (this.#draining) this.#wait(line)
    else this.#deliver(line, () => parseMessage(line.toString()))
  }

  #wait(line: Buffer | LargeLine): void {
    this.#backlog.push(line)
    this.#draining ??= this.#drain()
  }

  async #drain(): Promise<void> {
    const { group, parseLarge } = this.#options
    group.stdout.pause()
    for (let line = this.#backlog.shift(); line; line = this.#backlog.shift()) {
      if (Buffer.isBuffer(line)) {
        const bytes = line
        this.#deliver(bytes, () => parseMessage(bytes.toString()))
        continue
      }
      try {
        this.#place.parse(line.bytes)
        const value = await parseLarge(line.pieces)
        keepIds(value)
        this.#deliver(line.head, () => value)
      } catch (error) {
        const reason =
          error instanceof SluiceError
            ? error
            : new SluiceError('WORKER_FAILED', `A large answer could not be read: ${messageOf(error)}`)
        this.#loseAnswer(line, reason)
      }
    }
    this.#draining = undefined
    this.#readOn()
  }

  /** `line`: logged if not a message. */
  #deliver(line: Buffer, parse: () => unknown): void {
    if (this.#isClosed) return
    const value = parsed(parse)
    // MCP 2025-03-26 only.
    const messages = Array.isArray(value) ? value : [value]
    if (messages.length > 0 && messages.every(isMessage)) {
      for (const message of messages) this.onmessage?.(message)
    } else this.#options.log.addStray(line.toString())
  }

  #loseAnswer(line: { head: Buffer; tail: Buffer }, error: Error): void {
    const id = salvageId(line)
    if (id === undefined) this.onerror?.(error)
    else this.#options.onAnswerLost(id, error)
  }
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse()
  } catch {
    return undefined
  }
}

/** Checks only the outline; unknown fields are allowed. The peer reports faulty answers. */
const isMessage = (value: unknown): value is JsonRpcMessage =>
  (isJsonObject(value) && value['jsonrpc'] === '2.0') || isVersionless(value)
