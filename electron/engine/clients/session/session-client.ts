import type { ClientIdentity, ClientRequest, OpenSessionOptions } from '../transports/client-session.ts'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ClientHello } from '../../protocol/era.ts'
import { clientHelloOf, isModernRequest, metaOf } from '../../protocol/era-bridge.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../../protocol/json-rpc.ts'
import { namesTasks, tellsOfTask, usesTasks, withoutRelatedTask } from '../../protocol/without-tasks.ts'
import { ClientSubscriptions } from './client-subscriptions.ts'

interface Held {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly mayPass: () => boolean
}

interface CountedChanges {
  count: number
  last: Held | undefined
}

/** Each makes a client refresh lists. */
const MOST_CHANGES_A_SECOND = 20

export class SessionClient {
  readonly subscriptions = new ClientSubscriptions()
  readonly #options: OpenSessionOptions
  readonly #logger: Logger
  readonly #ended = new AbortController()
  #hello: ClientHello | undefined
  /** Messages before a legacy client's `initialized`; then undefined. */
  #held: Held[] | undefined = []
  readonly #changes = new Map<string, CountedChanges>()

  /** With several servers Sluice has no tasks. */
  readonly #hasTasks: boolean
  #knowsTasks = false

  constructor(options: OpenSessionOptions, logger: Logger) {
    this.#options = options
    this.#logger = logger
    this.#hasTasks = options.scope.kind === 'server'
  }

  get ended(): AbortSignal {
    return this.#ended.signal
  }

  get hello(): ClientHello {
    if (this.#hello) return this.#hello
    throw new RpcError(RpcErrorCode.invalidRequest, 'Send "initialize" before any other request.')
  }

  get introduced(): boolean {
    return this.#hello !== undefined
  }

  get name(): string {
    return this.#options.client.name ?? this.#hello?.clientInfo.name ?? 'unknown'
  }

  get place(): Pick<ClientIdentity, 'cwd' | 'env'> {
    return this.#options.client
  }

  /** Of `initialize`, or each modern request. Removes tasks for clients that don't support them. */
  take(request: ClientRequest): ClientRequest {
    this.#learnFrom(request)
    this.#knowsTasks ||= this.#hasTasks && this.#mayKnowTasks(request)
    if (this.#knowsTasks) return request
    const notify = (method: string, params?: JsonObject): void => {
      if (this.#knowsTasks) request.notify(method, params)
      else if (!tellsOfTask(method)) request.notify(method, withoutRelatedTask(params))
    }
    return { ...request, notify }
  }

  /** Some clients use tasks without the capability, which is for receivers. */
  #mayKnowTasks({ method, params }: ClientRequest): boolean {
    return usesTasks(method, params) || (this.#hello !== undefined && namesTasks(this.#hello.capabilities))
  }

  fit(result: JsonObject): JsonObject {
    return this.#knowsTasks ? result : withoutRelatedTask(result)
  }

  #learnFrom(request: ClientRequest): void {
    if (request.method === 'initialize' || isModernRequest(request.params)) {
      this.#hello = clientHelloOf(request.params)
    } else if (request.method !== 'ping') this.markReady()
  }

  /** `initialize` is answered: deliver held messages. */
  markReady(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const { method, params, mayPass } of held) this.notify(method, params, mayPass)
  }

  /** If `mayPass` in its turn; modern clients get subscribed changes, legacy ones nothing before initialisation. */
  notify(method: string, params?: JsonObject, mayPass: () => boolean = () => true): void {
    if (method.endsWith('/list_changed') && this.#isTooOften({ method, params, mayPass })) return
    if (!this.#knowsTasks) {
      if (tellsOfTask(method)) return
      params = withoutRelatedTask(params)
    }
    if (this.#held && this.#hello?.era !== 'modern') this.#held.push({ method, params, mayPass })
    else if (!mayPass()) return
    else if (this.#hello?.era === 'modern') this.subscriptions.deliver(method, params)
    else if (this.#hello) this.#options.link.notify(method, params)
  }

  /** A flood becomes the first per second and the last. */
  #isTooOften(change: Held): boolean {
    const { method } = change
    const known = this.#changes.get(method)
    if (known) {
      known.count++
      if (known.count <= MOST_CHANGES_A_SECOND) return false
      known.last = change
      return true
    }
    const counted: CountedChanges = { count: 1, last: undefined }
    this.#changes.set(method, counted)
    setTimeout(() => {
      this.#changes.delete(method)
      const { last } = counted
      if (last && !this.#ended.signal.aborted) this.notify(last.method, last.params, last.mayPass)
    }, 1000).unref()
    return false
  }

  ask(
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
    notify: (method: string, params?: JsonObject) => void = () => {},
  ): Promise<JsonObject> {
    const progressToken = metaOf(params)['progressToken']
    const onProgress = (progress: JsonObject): void =>
      notify('notifications/progress', { ...progress, progressToken })
    return this.#options.link.ask(method, this.#knowsTasks ? params : withoutRelatedTask(params), {
      signal,
      ...(progressToken === undefined ? {} : { onProgress }),
    })
  }

  /** For unawaited messages to servers. */
  readonly reportLate = (error: unknown): void => {
    if (!this.#ended.signal.aborted) {
      this.#logger.debug('message to server not delivered', { error: messageOf(error) })
    }
  }

  close(): void {
    this.subscriptions.close()
    this.#ended.abort()
  }
}
