import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import { isJsonObject, RpcError, RpcErrorCode, type JsonObject } from '../../protocol/json-rpc.ts'
import type { OpenLink, OpenLinkOptions, UpstreamLink, UpstreamRequestOptions } from '../../protocol/link.ts'
import { closedOnPurpose } from '../upstream/describe-failure.ts'
import { FirstStarts, type FirstStart } from './first-starts.ts'
import { isSameOffer, namesFolder, type OfferMemory, type RememberedOffer } from './offer-memory.ts'
import { listsOf, watchLists } from './watch-lists.ts'

/** Then a server whose settings don't say is started when used, too. */
const STEADY_STARTS = 3

/**
 * Programs that said the same at their last starts are not started with a client: what they said is answered from
 * memory, and the first request of another kind starts them. `wake` of the link compares. While as many starts are
 * under way as are needed to know that, further clients wait for what they say.
 */
export function startWhenUsed(
  openLink: OpenLink,
  {
    memory,
    logger,
    folderOf,
    firstStarts = new FirstStarts(),
  }: {
    readonly memory: OfferMemory
    readonly logger: Logger
    /** In which a program starts. */
    readonly folderOf: (options: OpenLinkOptions) => string | undefined
    readonly firstStarts?: FirstStarts
  },
): OpenLink {
  return async (options) => {
    const { settings } = options
    if (settings.command === undefined) return openLink(options)
    const keys = keysOf(options)
    // A shared one may run already: to join it costs little.
    const enough = settings.start === 'when-used' ? 1 : settings.shared ? Infinity : STEADY_STARTS
    const steady = (key: string): RememberedOffer | undefined => {
      const known = settings.start === 'with-client' ? undefined : memory.get(key)
      return known && known.starts >= enough ? known.offer : undefined
    }
    const find = (): RememberedOffer | undefined => steady(keys.here) ?? steady(keys.anywhere)
    const lazy = { ...options, openLink, memory, keys, logger, folder: folderOf(options) }
    const known = find()
    if (known) return new LazyLink(lazy).rest(known).asLink()
    if (settings.start === 'with-client' || enough === Infinity)
      return (await new LazyLink(lazy).start()).asLink()
    const ahead = firstStarts.ahead(keys.here, enough - (memory.get(keys.here)?.starts ?? 0))
    if (ahead) {
      await orAborted(ahead, options.signal)
      const found = find()
      if (found) return new LazyLink(lazy).rest(found).asLink()
      firstStarts.waitedInVain(keys.here)
    }
    return (await new LazyLink({ ...lazy, first: firstStarts.begin(keys.here) }).start()).asLink()
  }
}

interface Keys {
  readonly here: string
  /** In any folder. */
  readonly anywhere: string
}

/** What a server may adapt its offer to. */
function keysOf({ serverId, settings, client, cwd }: OpenLinkOptions): Keys {
  const { command, args, env, cwd: ownFolder, shared } = settings
  const launch = [serverId, command, args ?? [], env ?? {}, ownFolder ?? '', shared === true]
  const of = shared === true ? undefined : client
  const anywhere = JSON.stringify([...launch, of])
  return { here: shared === true ? anywhere : JSON.stringify([...launch, of, cwd ?? '']), anywhere }
}

interface LazyLinkOptions extends OpenLinkOptions {
  readonly openLink: OpenLink
  readonly memory: OfferMemory
  readonly keys: Keys
  readonly folder: string | undefined
  readonly logger: Logger
  /** If others wait for what it says. */
  readonly first?: FirstStart
}

type Introduction = Pick<UpstreamLink, 'hello' | 'announced' | 'folder'>

class LazyLink {
  readonly #options: LazyLinkOptions
  readonly #closing = new AbortController()
  /** Undefined while it is only remembered. */
  #running: { readonly link: UpstreamLink; readonly request: UpstreamLink['request'] } | undefined
  #offer: RememberedOffer | undefined
  #waking: Promise<void> | undefined
  #awake = withoutComplaint()
  /** `logging/setLevel` before the start. */
  #level: JsonObject | undefined
  #inFlight = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: LazyLinkOptions) {
    this.#options = options
  }

  rest(offer: RememberedOffer): this {
    this.#offer = offer
    return this
  }

  async start(): Promise<this> {
    try {
      await this.#begin()
      return this
    } catch (error) {
      this.#options.first?.failed()
      throw error
    }
  }

  async #begin(): Promise<void> {
    const { openLink, events, first } = this.#options
    const state: { link?: UpstreamLink; lost?: Error } = {}
    const onLost = (error: Error): void => {
      state.lost = error
      first?.failed()
      // Not one that was ended because it was not used.
      if (state.link && this.#running?.link === state.link) events.onLost(error)
    }
    const link = await openLink({ ...this.#options, signal: this.#signal, events: { ...events, onLost } })
    state.link = link
    let isStart = true
    const request = watchLists(link, (offer) => {
      this.#remember(offer, isStart)
      this.#offer = offer
      isStart = false
      first?.ready()
    })
    this.#running = { link, request }
    this.#awake.resolve()
    this.#restLater()
    if (state.lost) events.onLost(state.lost)
  }

  asLink(): UpstreamLink {
    const introduction = (): Introduction => this.#introduction
    const pid = (): number | undefined => this.#running?.link.pid
    return {
      serverId: this.#options.serverId,
      get hello() {
        return introduction().hello
      },
      get announced() {
        return introduction().announced
      },
      get folder() {
        return introduction().folder
      },
      get pid() {
        return pid()
      },
      wake: () => this.#wake(),
      isOpen: () => !this.#closing.signal.aborted && (this.#running?.link.isOpen() ?? true),
      request: (method, params, options) => this.#request(method, params, options),
      notify: async (method, params) => this.#running?.link.notify(method, params),
      close: () => this.#close(),
    }
  }

  get #signal(): AbortSignal {
    const { signal } = this.#options
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal
  }

  get #introduction(): Introduction {
    const { folder } = this.#options
    const introduction = this.#running?.link ?? (this.#offer && { ...this.#offer, folder })
    if (!introduction) throw new Error('The server has not introduced itself yet.')
    return introduction
  }

  async #request(
    method: string,
    params: JsonObject | undefined,
    options?: UpstreamRequestOptions,
  ): Promise<JsonObject> {
    if (!this.#running && this.#offer) {
      if (Object.hasOwn(this.#offer.lists, method)) return listed(this.#offer, method)
      if (method === 'logging/setLevel' && this.#offer.hello.capabilities['logging'] !== undefined) {
        this.#level = params
        return {}
      }
      if (isForListChanges(method, params)) await orAborted(this.#awake.promise, options?.signal)
      else await this.#wake()
    }
    const running = this.#running
    if (!running) throw closedOnPurpose(this.#options.serverId)
    // It stays open for as long as the server runs.
    if (isForListChanges(method, params)) return running.request(method, params, options)
    clearTimeout(this.#idle)
    this.#inFlight++
    try {
      return await running.request(method, params, options)
    } finally {
      this.#inFlight--
      this.#restLater()
    }
  }

  /** For every folder only what does not name its own. */
  #remember(offer: RememberedOffer, isStart: boolean): void {
    const { memory, keys, folder } = this.#options
    memory.set(keys.here, offer, isStart)
    if (keys.anywhere === keys.here) return
    if (folder !== undefined && namesFolder(offer, folder)) memory.forget(keys.anywhere)
    else memory.set(keys.anywhere, offer, isStart)
  }

  /** Starts it if it does not run; if it offers something else than before, says that its lists changed. */
  #wake(): Promise<void> | undefined {
    if (this.#running && !this.#waking) return undefined
    this.#waking ??= this.#startAndCompare().finally(() => (this.#waking = undefined))
    return this.#waking
  }

  async #startAndCompare(): Promise<void> {
    const { memory, keys, events, logger, serverId } = this.#options
    const before = this.#offer
    try {
      await this.start()
    } catch (error) {
      // The next client meets its failure at once.
      if (!this.#closing.signal.aborted) for (const key of Object.values(keys)) memory.forget(key)
      throw error
    }
    const running = this.#running
    if (!running || !before) return
    if (this.#level !== undefined)
      await running.link.request('logging/setLevel', this.#level).catch((error: unknown) => {
        logger.debug('log level not set at the start', { server: serverId, error: messageOf(error) })
      })
    const methods = listsOf(running.link.hello)
    // Failures show in the reading that follows.
    await Promise.all(methods.map((method) => readWhole(running.request, method).catch(() => {})))
    const after = this.#offer
    // The next request reads the lists again, and compares them with what is approved.
    if (after !== before && after !== undefined && isSameOffer(before, after)) return
    const had = [...listsOf(before.hello), ...methods]
    for (const list of new Set(had.map((method) => method.slice(0, method.indexOf('/')))))
      events.onNotification(`notifications/${list}/list_changed`, undefined)
  }

  #restLater(): void {
    const { idleMinutes } = this.#options.settings
    clearTimeout(this.#idle)
    if (idleMinutes === undefined || this.#inFlight > 0 || this.#closing.signal.aborted) return
    this.#idle = setTimeout(() => void this.#rest(), idleMinutes * 60_000)
    this.#idle.unref()
  }

  async #rest(): Promise<void> {
    const running = this.#running
    if (!running || !this.#offer || this.#waking) return
    this.#running = undefined
    this.#awake = withoutComplaint()
    this.#options.logger.info('server ended, because it was not used', { server: this.#options.serverId })
    await running.link.close()
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#closing.abort()
    this.#options.first?.failed()
    this.#awake.reject(new Error('The connection was closed.'))
    await this.#waking?.catch(() => {})
    await this.#running?.link.close()
  }
}

function listed(offer: RememberedOffer, method: string): JsonObject {
  const { result, error } = offer.lists[method] ?? {}
  if (result) return result
  throw new RpcError(
    error?.code ?? RpcErrorCode.methodNotFound,
    error?.message ?? `Method not found: ${method}`,
  )
}

const MOST_PAGES = 1000

/** Over all pages. */
async function readWhole(request: UpstreamLink['request'], method: string): Promise<void> {
  const seen = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const page = await request(method, cursor === undefined ? {} : { cursor })
    cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined
    if (cursor === undefined || seen.has(cursor)) return
    seen.add(cursor)
    if (seen.size >= MOST_PAGES) return
  }
}

const isForListChanges = (method: string, params: JsonObject | undefined): boolean =>
  method === 'subscriptions/listen' &&
  isJsonObject(params?.['notifications']) &&
  !('resourceSubscriptions' in params['notifications'])

/** May be rejected without a reader. */
function withoutComplaint(): PromiseWithResolvers<void> {
  const awaited = Promise.withResolvers<void>()
  awaited.promise.catch(() => {})
  return awaited
}

async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise
  signal.throwIfAborted()
  const aborted = withoutComplaint()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
