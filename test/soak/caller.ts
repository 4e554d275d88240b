import { setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '../../electron/engine/ground/errors.ts'
import { planCall } from './calls.ts'
import type { Random } from './random.ts'
import { openClient } from './soak-client.ts'
import type { ClientKind, OpenClient } from './soak-client.ts'
import type { Stage } from './stage.ts'
import type { Tally } from './tally.ts'

/** Far above all of Sluice's limits, so a missing answer is lost. */
const LOST_MS = 45_000
/** A client that can't connect for so long to a running engine has been locked out. */
const SHUT_OUT_MS = 90_000
const LANES = 2

export interface CallerOptions {
  readonly name: string
  readonly kind: ClientKind
  /** One server of the caller's choice per connection, or all of them. */
  readonly scope: 'one' | 'all'
  readonly stage: Stage
  readonly random: Random
  readonly tally: Tally
  readonly leftSessions: Set<string>
  /** Reports faults other than calls. */
  readonly fault: (what: string) => void
}

/** A client that calls continuously, two calls at a time, and reconnects when it loses its connection. */
export class Caller {
  readonly #options: CallerOptions
  #client: OpenClient | undefined
  #server: string | undefined
  #life = 0
  /** The engine life that the current client has met. */
  #engineLife = 0
  #calls = 0
  #working: Promise<void> | undefined
  #stopping = false

  constructor(options: CallerOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get connectorPid(): number | undefined {
    return this.#client?.pid
  }

  start(): void {
    this.#stopping = false
    this.#working = this.#work()
  }

  /** Like a client crash. */
  kill(): void {
    this.#life++
    this.#client?.kill()
    this.#client = undefined
  }

  /** Waits for calls in flight, then closes properly; a client of 2026-07-28 has no message for that. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#working
    await this.#client?.close()
    this.#client = undefined
  }

  /** Starts all servers of this client. */
  async list(): Promise<void> {
    const client = await this.#open()
    await client?.list()
    await client?.close()
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      const client = await this.#open()
      if (!client) return
      this.#client = client
      const life = this.#life
      const lanes = Array.from({ length: LANES }, async () => {
        while (!this.#stopping && this.#client === client && this.#life === life) {
          await this.#callOnce(client, life)
          await wait(this.#options.random.between(20, 500))
        }
      })
      await Promise.all(lanes)
    }
  }

  async #callOnce(client: OpenClient, life: number): Promise<void> {
    const { stage, random, tally, name, kind } = this.#options
    const server = this.#server ?? random.pick(Object.keys(stage.servers)) ?? ''
    const token = `${name} ${++this.#calls}`
    const planned = planCall(stage.servers[server] ?? 'features', token, random)
    const { tool, args } = planned
    const what = `${name}: ${server} ${tool} ${JSON.stringify(args)}`
    tally.made()
    try {
      const full = this.#server === undefined ? `${server}__${tool}` : tool
      const { text, isError } = await client.call(full, args, LOST_MS)
      if (isError && text.trim() === '') tally.lost(`${what} failed without a word`)
      else if (isError) tally.refused(text)
      else if (planned.fits(text)) tally.answered()
      else tally.lost(`${what} was answered with ${JSON.stringify(text)}`)
    } catch (error) {
      const reason = messageOf(error)
      const code = (error as { code?: unknown }).code
      // A connector outlives its engine and must still answer; others have lost their session.
      const isEngineGone =
        kind !== 'connect' && (stage.isEngineDying() || stage.engineLives() !== this.#engineLife)
      if (this.#life !== life || isEngineGone) tally.cutOff()
      else if (typeof code === 'number' && reason.trim() !== '') tally.refused(reason)
      else tally.lost(`${what}: ${reason} (${String(code)}) ${causeOf(error)}`)
      // A refusal leaves a connection usable; otherwise a new one is opened, as a client does.
      if (typeof code !== 'number' && this.#client === client) {
        this.#client = undefined
        await client.close()
      }
    }
  }

  async #open(): Promise<OpenClient | undefined> {
    const { stage, random, scope, name, kind, leftSessions, fault } = this.#options
    const since = performance.now()
    for (;;) {
      this.#engineLife = stage.engineLives()
      this.#server = scope === 'one' ? random.pick(Object.keys(stage.servers)) : undefined
      try {
        return await openClient(stage, { name, kind, server: this.#server }, leftSessions)
      } catch (error) {
        if (this.#stopping) return undefined
        if (performance.now() - since > SHUT_OUT_MS) {
          fault(`${name} could not connect for ${SHUT_OUT_MS / 1000} s: ${messageOf(error)}`)
          return undefined
        }
        await wait(500)
      }
    }
  }
}

const causeOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? `because of ${messageOf(error.cause)}` : ''
