import { messageOf, type SluiceError } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ClientHello } from '../../protocol/era.ts'
import { RpcError, RpcErrorCode, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { IncomingRequest } from '../../protocol/peer.ts'
import { closedOnPurpose } from './describe-failure.ts'
import { capabilityFor } from './modern-question.ts'
import type { OpenedPeer, PeerEvents } from './opened-peer.ts'
import { SharedLogLevels } from './shared-log-levels.ts'
import { SharedMember } from './shared-member.ts'
import { SharedSubscriptions } from './shared-subscriptions.ts'

export type OpenShared = (on: { signal: AbortSignal; events: PeerEvents }) => Promise<OpenedPeer>

export interface SharedServerOptions {
  readonly serverId: string
  readonly open: OpenShared
  readonly logger: Logger
  readonly graceMs: number
  /** Closed to new sessions; resolves when the process has ended. Never rejects. */
  readonly onOver: (ended: Promise<void>) => void
}

/**
 * Requests, progress and cancellation are routed by the peer's ids; other messages go to all concerned, server
 * requests only to the right session.
 */
export class SharedServer {
  readonly serverId: string
  readonly #options: SharedServerOptions
  readonly #members = new Set<SharedMember>()
  readonly #subscriptions = new SharedSubscriptions<SharedMember>()
  readonly #levels = new SharedLogLevels<SharedMember>()
  readonly #abort = new AbortController()
  readonly #opening: Promise<OpenedPeer>
  /** Methods, to report each once. */
  readonly #refused = new Set<string>()
  #joining = 0
  #isRetired = false
  #ended: Promise<void> | undefined
  #grace: NodeJS.Timeout | undefined

  constructor(options: SharedServerOptions) {
    this.#options = options
    this.serverId = options.serverId
    this.#opening = options.open({
      signal: this.#abort.signal,
      events: {
        onRequest: (request) => this.#askWhoCalled(request),
        onNotification: (method, params) => this.#tell(method, params),
        onLost: (error) => this.#lost(error),
      },
    })
    this.#opening.catch(() => this.end())
  }

  /** The session leaves with `close()`. */
  async join(client: ClientHello, events: PeerEvents, signal?: AbortSignal): Promise<OpenedPeer> {
    clearTimeout(this.#grace)
    this.#joining++
    try {
      const opened = await unlessAborted(this.#opening, signal)
      if (this.#ended) throw this.#closed()
      const member = new SharedMember({
        serverId: this.serverId,
        opened,
        client,
        events,
        subscriptions: this.#subscriptions,
        levels: this.#levels,
        onLeft: (left) => {
          this.#members.delete(left)
          return this.#leave()
        },
      })
      this.#members.add(member)
      return member
    } finally {
      this.#joining--
      void this.#leave()
    }
  }

  retire(): void {
    this.#isRetired = true
    void this.#leave()
  }

  end(): Promise<void> {
    if (this.#ended) return this.#ended
    clearTimeout(this.#grace)
    const close = async (): Promise<void> => {
      this.#abort.abort(this.#closed())
      const opened = await this.#opening.catch(() => undefined)
      await opened?.close()
    }
    this.#ended = close().catch((error: unknown) =>
      this.#options.logger.warn('server did not end cleanly', { error: messageOf(error) }),
    )
    this.#options.onOver(this.#ended)
    return this.#ended
  }

  async #leave(): Promise<void> {
    if (this.#members.size > 0 || this.#joining > 0 || this.#ended) return
    clearTimeout(this.#grace)
    if (this.#isRetired) return this.end()
    this.#grace = setTimeout(() => void this.end(), this.#options.graceMs)
    this.#grace.unref()
  }

  #lost(error: Error): void {
    const members = [...this.#members]
    this.#members.clear()
    void this.end()
    for (const member of members) member.lost(error)
  }

  #tell(method: string, params: JsonObject | undefined): void {
    for (const member of this.#whomItConcerns(method, params)) member.events.onNotification(method, params)
  }

  #whomItConcerns(method: string, params: JsonObject | undefined): SharedMember[] {
    const all = [...this.#members]
    if (method === 'notifications/resources/updated')
      return this.#subscriptions.subscribersOf(stringIn(params, 'uri'))
    if (method !== 'notifications/message') return all
    // Messages don't name their call: it may be any running one.
    const level = stringIn(params, 'level')
    const calling = all.filter(({ isCalling }) => isCalling)
    const waiting = calling.length > 0 ? calling : all.filter(({ isWaiting }) => isWaiting)
    return (waiting.length > 0 ? waiting : all).filter((member) => member.hears(level))
  }

  /**
   * A 2025 server's request doesn't name its call. Answered only if all running calls belong to one client: otherwise
   * sampling would charge the wrong user, and one client's roots would apply to all.
   */
  async #askWhoCalled(request: IncomingRequest): Promise<JsonObject> {
    const { method } = request
    if (method === 'ping') return {}
    const mayBe = [...this.#members].filter((member) => member.isCalling)
    const [only] = mayBe
    if (!only || mayBe.length > 1) throw this.#cannotTell(method, mayBe.length)
    const needed = capabilityFor(method)
    if (needed !== undefined && !only.can(needed)) {
      const who = `the client whose call is under way (${only.clientName}) did not announce "${needed}"`
      throw new RpcError(RpcErrorCode.methodNotFound, `${method}: ${who}, so it can't be asked.`)
    }
    return only.events.onRequest(request)
  }

  #cannotTell(method: string, callers: number): RpcError {
    const when =
      callers === 0 ? 'while no client had a call under way' : `while ${callers} clients had calls under way`
    const reason = `Server "${this.serverId}" is shared by its clients ("shared": true in config.json) and asked for ${method} ${when}, so Sluice can't tell whose it would be. Take "shared" out of its settings if it needs this: each client then has a process of its own.`
    if (!this.#refused.has(method))
      this.#options.logger.warn('question of a shared server refused', { method, reason })
    this.#refused.add(method)
    return new RpcError(RpcErrorCode.invalidRequest, reason)
  }

  #closed(): SluiceError {
    return closedOnPurpose(this.serverId)
  }
}

/** Others keep waiting for the promise. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
