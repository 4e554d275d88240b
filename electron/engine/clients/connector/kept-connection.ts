import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../ground/errors.ts'
import type { ConnectOptions } from '../transports/connect-options.ts'
import { Conversation } from './conversation.ts'
import type { EngineLink } from './engine-link.ts'
import { LineRelay } from './line-relay.ts'

export interface KeptConnectionOptions extends Pick<ConnectOptions, 'stdin' | 'stdout'> {
  readonly graceMs: number
  readonly stop: AbortSignal
  /** Undefined if no engine runs. */
  readonly join: () => Promise<EngineLink | undefined>
  /** Joins an engine that is started for it. */
  readonly start: () => Promise<EngineLink>
  /** To stderr. */
  readonly say: (text: string) => void
}

/** Growing pauses: idle clients don't need an engine. */
const FIRST_LOOK_MS = 250
const LAST_LOOK_MS = 4_000
/** Gives a supervisor time to restart an engine. */
const START_AFTER_MS = 2_000
/** An engine that gave way is left in a moment without requests; if there is none, new ones wait this long … */
const HOLD_MS = 1_000
/** … each time. */
const HOLD_EVERY_MS = 5_000
const SETTLE_POLL_MS = 20
/** After an engine this short-lived, joining waits. */
const SHORT_MS = 2_000
const BREAK = Buffer.from('\n')

/** Not `performance`: the first use of that loads modules which cost each connector 0.2 MB. */
const uptimeMs = (): number => process.uptime() * 1_000

/** The client's engine and its successors; `Conversation` keeps the state. Resolves with the exit code. */
export class KeptConnection {
  readonly #options: KeptConnectionOptions
  readonly #conversation: Conversation
  readonly #fromClient: LineRelay
  /** A chunk may contain thousands of lines. */
  readonly #heldBack = new WeakSet<Readable>()
  #link: EngineLink | undefined
  #clientGone = false
  #inputEnded = false
  #isGreeted = false
  #shortLives = 0
  /** Left on purpose, for its successor. */
  #left: EngineLink | undefined
  /** Ends the pause on a request or when the client is gone. */
  #wake: () => void = () => {}

  constructor(options: KeptConnectionOptions) {
    this.#options = options
    this.#conversation = new Conversation(
      (line) => this.#toClient(line),
      () => void this.#follow(),
    )
    this.#fromClient = new LineRelay({
      onLine: (line) => this.#conversation.fromClient(line),
      mayStream: () => false,
      write: (bytes) => this.#toEngine(bytes),
    })
  }

  async run(first: EngineLink | string): Promise<number> {
    const { stdin, stdout, stop } = this.#options
    stdin.on('data', this.#onInput)
    stdin.once('end', this.#onInputEnd)
    stdin.once('error', this.#leave)
    stdout.once('error', this.#leave)
    stop.addEventListener('abort', this.#leave)
    if (stop.aborted) this.#leave()
    try {
      let code = typeof first === 'string' ? 1 : 0
      await (typeof first === 'string' ? this.#refuse(first) : this.#use(first, false))
      while (!this.#isOver) code = await this.#recover()
      return code
    } finally {
      stop.removeEventListener('abort', this.#leave)
      stdin.off('data', this.#onInput)
      stdin.pause()
    }
  }

  /** The client is gone, or closed stdin and has all answers. */
  get #isOver(): boolean {
    return this.#clientGone || (this.#inputEnded && !this.#conversation.isWaiting)
  }

  readonly #leave = (): void => {
    this.#clientGone = true
    this.#link?.destroy()
    this.#wake()
  }

  readonly #onInput = (chunk: Buffer): void => {
    this.#fromClient.push(chunk)
    this.#wake()
  }

  readonly #onInputEnd = (): void => {
    this.#fromClient.end()
    this.#inputEnded = true
    if (this.#isGreeted) this.#link?.stream.end()
    // The engine finishes open requests and closes, within this limit.
    setTimeout(this.#leave, this.#options.graceMs + 1_000).unref()
    this.#wake()
  }

  #toClient(line: Buffer): void {
    const { stdout } = this.#options
    if (stdout.writable) stdout.write(Buffer.concat([line, BREAK]))
  }

  #toEngine(bytes: Buffer): void {
    const { stdin } = this.#options
    const stream = this.#link?.stream
    if (stream?.writable && !stream.write(bytes)) this.#holdBack(stdin, stream)
  }

  /** Pauses reading until the output drains or closes. */
  #holdBack(source: Readable, output: Writable): void {
    if (this.#heldBack.has(source)) return
    this.#heldBack.add(source)
    source.pause()
    const resume = (): void => {
      output.off('drain', resume).off('close', resume)
      this.#heldBack.delete(source)
      source.resume()
    }
    output.once('drain', resume).once('close', resume)
  }

  readonly #send = (line: Buffer): void => this.#toEngine(Buffer.concat([line, BREAK]))

  async #use(link: EngineLink, isGreeted: boolean): Promise<string | undefined> {
    const { stdout } = this.#options
    const began = uptimeMs()
    let refusal: string | undefined
    const relay = new LineRelay({
      onLine: (line) => this.#conversation.fromEngine(line),
      mayStream: (head) => this.#conversation.mayStream(head),
      onStreamed: () => this.#conversation.streamed(),
      write: (bytes) => {
        if (stdout.writable && !stdout.write(bytes)) this.#holdBack(link.stream, stdout)
      },
    })
    this.#link = link
    link.stream.on('data', (chunk: Buffer) => relay.push(chunk))
    // Reading the first line paused it.
    link.stream.resume()
    if (this.#clientGone) link.destroy()
    if (isGreeted) {
      const greeting = this.#conversation.greet(this.#send).catch((error: unknown) => {
        refusal = `Sluice could not resume the session: ${messageOf(error)}`
        this.#conversation.refuseAll(refusal)
        link.destroy()
      })
      await Promise.race([greeting, link.gone])
    } else this.#conversation.begin(this.#send)
    this.#isGreeted = true
    if (this.#inputEnded) link.stream.end()
    await link.gone
    this.#link = undefined
    this.#isGreeted = false
    this.#shortLives = uptimeMs() - began < SHORT_MS ? this.#shortLives + 1 : 0
    if (relay.isInLine && stdout.writable) stdout.write(BREAK)
    if (this.#inputEnded) {
      this.#conversation.refuseAll('The client closed its side, and no answer came in time.')
      this.#clientGone = true
    }
    if (this.#isOver) return undefined
    this.#conversation.lost('The Sluice engine behind this connection ended.')
    if (refusal !== undefined) return refusal
    if (this.#left !== link)
      this.#options.say(
        'the Sluice engine went away. What was under way was answered with an error; the connection goes on with the next engine.',
      )
    return undefined
  }

  /** Leaves this engine for its successor as soon as nothing is under way. */
  async #follow(): Promise<void> {
    const link = this.#link
    const isHere = (): boolean => this.#link === link && !this.#isOver
    for (let round = uptimeMs(); isHere(); await sleep(SETTLE_POLL_MS)) {
      const passed = uptimeMs() - round
      if (this.#conversation.isSettled) break
      if (passed > HOLD_EVERY_MS + HOLD_MS) {
        this.#conversation.release()
        round = uptimeMs()
      } else if (passed > HOLD_EVERY_MS) this.#conversation.hold()
    }
    if (!isHere()) return
    this.#left = link
    // The stream takes nothing from now on, and its end comes later.
    this.#conversation.hold()
    link?.destroy()
  }

  async #recover(): Promise<number> {
    const { join, start } = this.#options
    const lostAt = uptimeMs()
    if (this.#shortLives > 1) await this.#pause(Math.min(FIRST_LOOK_MS * 2 ** this.#shortLives, LAST_LOOK_MS))
    try {
      for (let pause = FIRST_LOOK_MS; !this.#isOver; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
        const joined = await join()
        const mustStart =
          this.#conversation.isWaiting ||
          (this.#conversation.wantsEngine && uptimeMs() - lostAt > START_AFTER_MS)
        const link = joined ?? (mustStart ? await start() : undefined)
        if (link) {
          const refusal = await this.#use(link, true)
          if (refusal !== undefined) await this.#untilAsked(refusal)
          return 0
        }
        await this.#pause(pause)
      }
      return 0
    } catch (error) {
      await this.#refuse(messageOf(error))
      return 1
    }
  }

  async #untilAsked(refusal: string): Promise<void> {
    this.#options.say(`${refusal} It is tried again when the client asks for something.`)
    while (!this.#isOver && !this.#conversation.isWaiting) await this.#pause()
  }

  async #refuse(reason: string): Promise<void> {
    this.#options.say(reason)
    if (!this.#conversation.isWaiting && !this.#isOver) await this.#pause()
    this.#conversation.refuseAll(reason)
    if (!this.#isOver) await this.#pause()
  }

  async #pause(ms?: number): Promise<void> {
    const woken = new AbortController()
    const called = new Promise<void>((resolve) => (this.#wake = resolve))
    await Promise.race([
      called,
      ...(ms === undefined ? [] : [sleep(ms, undefined, { signal: woken.signal }).catch(() => {})]),
    ])
    woken.abort()
  }
}
