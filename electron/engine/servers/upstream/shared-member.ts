import { closedOnPurpose } from './describe-failure.ts'
import { type ClientHello, LEGACY_VERSIONS, MetaKey, type ServerHello } from '../../protocol/era.ts'
import { metaOf } from '../../protocol/era-bridge.ts'
import { RpcError, RpcErrorCode, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import { isAtLeast, isLogLevel } from '../../protocol/log-levels.ts'
import type { PeerRequestOptions } from '../../protocol/peer.ts'
import { callAsTask, isTask, takesTasks } from './fulfil-task.ts'
import type { OpenedPeer, PeerEvents } from './opened-peer.ts'
import type { SharedLogLevels } from './shared-log-levels.ts'
import type { SharedSubscriptions } from './shared-subscriptions.ts'

export interface SharedMemberOptions {
  readonly serverId: string
  readonly opened: OpenedPeer
  readonly client: ClientHello
  readonly events: PeerEvents
  readonly subscriptions: SharedSubscriptions<SharedMember>
  readonly levels: SharedLogLevels<SharedMember>
  /** At once while others remain. */
  readonly onLeft: (member: SharedMember) => Promise<void>
}

interface InFlight {
  readonly method: string
  /** 2026-07-28 states log levels per request. */
  readonly logLevel: unknown
}

const CALLS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/result',
])
/** Per session; bounds memory. */
const MOST_TASKS = 1000
/** Open while subscribed; not a call. */
const LISTENS = 'subscriptions/listen'

export class SharedMember implements OpenedPeer {
  readonly hello: ServerHello
  readonly peer: OpenedPeer['peer']
  readonly #options: SharedMemberOptions
  /** By what cancels them. */
  readonly #inFlight = new Map<AbortController, InFlight>()
  readonly #tasks = new Set<unknown>()
  #hasLeft = false

  constructor(options: SharedMemberOptions) {
    this.#options = options
    const { opened, client } = options
    this.hello = helloFor(opened.hello, client)
    this.peer = {
      request: (method, params, requestOptions) => this.#request(method, params, requestOptions),
      // Roots aren't passed on, because the process would apply them to all.
      notify: async (method, params) => {
        if (method !== 'notifications/roots/list_changed') await opened.peer.notify(method, params)
      },
    }
  }

  get greeted(): ClientHello {
    return this.#options.opened.greeted
  }

  get pid(): number | undefined {
    return this.#options.opened.pid
  }

  get explain(): OpenedPeer['explain'] {
    return this.#options.opened.explain
  }

  get events(): PeerEvents {
    return this.#options.events
  }

  get clientName(): string {
    return this.#options.client.clientInfo.name
  }

  /** For an answer of the process. */
  get isWaiting(): boolean {
    return this.#waitsFor(({ method }) => method !== LISTENS)
  }

  get isCalling(): boolean {
    return this.#waitsFor(({ method }) => CALLS.has(method))
  }

  /** By log level. */
  hears(level: string): boolean {
    const { opened, levels } = this.#options
    if (opened.hello.era === 'modern')
      return this.#waitsFor(({ logLevel }) => typeof logLevel === 'string' && isAtLeast(level, logLevel))
    const wanted = levels.of(this)
    return wanted === undefined || isAtLeast(level, wanted)
  }

  can(capability: string): boolean {
    return this.#options.client.capabilities[capability] !== undefined
  }

  lost(error: Error): void {
    this.#hasLeft = true
    this.events.onLost(error)
  }

  readonly isOpen = (): boolean => !this.#hasLeft

  readonly close = async (): Promise<void> => {
    if (this.#hasLeft) return
    this.#hasLeft = true
    const { serverId, opened, subscriptions, levels, onLeft } = this.#options
    const closed = closedOnPurpose(serverId)
    for (const abort of this.#inFlight.keys()) abort.abort(closed)
    // Answers aren't needed, and an ending process gives none.
    const say = (method: string, params: JsonObject): void =>
      void opened.peer.request(method, params).catch(() => {})
    for (const uri of subscriptions.leave(this)) say('resources/unsubscribe', { uri })
    const level = levels.leave(this)
    if (level !== undefined) say('logging/setLevel', { level })
    await onLeft(this)
  }

  #request(
    method: string,
    params: JsonObject | undefined,
    options: PeerRequestOptions = {},
  ): Promise<JsonObject> {
    const { serverId, opened, subscriptions, levels } = this.#options
    if (this.#tasks.has(params?.['taskId'])) return this.#sendOwn(method, params, options)
    // The process considers all one client and would show each the others' tasks.
    if (method.startsWith('tasks/'))
      return Promise.reject(
        new RpcError(
          RpcErrorCode.methodNotFound,
          opened.hello.era === 'modern'
            ? `${stringIn(params, 'taskId')} isn't a task of this client. Server "${serverId}" is shared by all clients, and each sees its own tasks alone.`
            : `Server "${serverId}" is shared by all clients, and tasks would be everybody's, so it has none: ${method} is refused. Without "shared" in config.json it has.`,
        ),
      )
    if (params && 'task' in params) {
      const { task: _task, ...plain } = params
      return this.#request(method, plain, options)
    }
    // These affect all sessions, so one session's end doesn't cancel them.
    const forAll = (changed = params): Promise<JsonObject> => opened.peer.request(method, changed)
    if (this.#hasLeft || opened.hello.era === 'modern') return this.#sendOwn(method, params, options)
    const uri = stringIn(params, 'uri')
    if (method === 'resources/subscribe') return subscriptions.add(this, uri, forAll)
    if (method === 'resources/unsubscribe') return subscriptions.remove(this, uri, forAll)
    const level = params?.['level']
    if (method !== 'logging/setLevel' || !isLogLevel(level)) return this.#send(method, params, options)
    const news = levels.set(this, level)
    return news === undefined ? Promise.resolve({}) : forAll({ ...params, level: news })
  }

  readonly callAsTask = (
    method: string,
    params: JsonObject | undefined,
    options: PeerRequestOptions = {},
  ): Promise<JsonObject> => {
    const { opened } = this.#options
    if (!takesTasks(opened.hello.capabilities)) return this.#request(method, params, options)
    return callAsTask(params, {
      send: (name, values) => this.#send(name, values, options),
      cancel: (taskId) => void opened.peer.request('tasks/cancel', { taskId }).catch(() => {}),
      signal: options.signal ?? new AbortController().signal,
    })
  }

  async #sendOwn(
    method: string,
    params: JsonObject | undefined,
    options: PeerRequestOptions,
  ): Promise<JsonObject> {
    const result = await this.#send(method, params, options)
    if (isTask(result)) this.#tasks.add(result['taskId'])
    const [oldest] = this.#tasks
    if (this.#tasks.size > MOST_TASKS) this.#tasks.delete(oldest)
    return result
  }

  #waitsFor(what: (request: InFlight) => boolean): boolean {
    return [...this.#inFlight.values()].some(what)
  }

  async #send(
    method: string,
    params: JsonObject | undefined,
    options: PeerRequestOptions,
  ): Promise<JsonObject> {
    const { signal } = options
    const abort = new AbortController()
    const onAbort = (): void => abort.abort(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#inFlight.set(abort, { method, logLevel: metaOf(params)[MetaKey.logLevel] })
    try {
      return await this.#options.opened.peer.request(method, params, { ...options, signal: abort.signal })
    } finally {
      this.#inFlight.delete(abort)
      signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** No newer version than requested, and without tasks, which a 2025 process gives to anyone. */
function helloFor(hello: ServerHello, client: ClientHello): ServerHello {
  if (hello.era === 'modern') return hello
  const { tasks: _tasks, ...capabilities } = hello.capabilities
  const isOlder =
    client.era === 'legacy' &&
    LEGACY_VERSIONS.indexOf(client.protocolVersion) > LEGACY_VERSIONS.indexOf(hello.protocolVersion)
  const protocolVersion = isOlder ? client.protocolVersion : hello.protocolVersion
  return { ...hello, protocolVersion, capabilities, raw: { ...hello.raw, protocolVersion, capabilities } }
}
