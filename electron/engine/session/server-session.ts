import type { ClientRequest, ClientSession, OpenSessionOptions } from '../downstream/client-session.ts'
import { discoverResult, initializeResult, toModernResult } from '../protocol/era-bridge.ts'
import { isJsonObject, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import { presentTool } from '../tools/present-tool.ts'
import type { UpstreamLink } from '../upstream/link.ts'
import { parseFilter } from './client-subscriptions.ts'
import { paramsFor, relayOptions, resultFor, toRpcError } from './relay.ts'
import { argumentsOf, runToolCall } from './run-tool-call.ts'
import type { ContentOrigin, SessionDependencies, SettingsChange } from './session-dependencies.ts'
import { SessionClient } from './session-client.ts'
import { SessionLinks } from './session-links.ts'
import { honouredFilter, UpstreamSubscriptions, withoutSubscription } from './upstream-subscriptions.ts'

/**
 * One client in front of one server, names unchanged: what wrapping uses. Everything is relayed as it is but for the
 * tools that settings reshape, and results over their threshold.
 */
export function createServerSession(
  deps: SessionDependencies,
  serverId: string,
  options: OpenSessionOptions,
): ClientSession {
  return new ServerSession(deps, serverId, options)
}

class ServerSession implements ClientSession {
  readonly id: string
  readonly #deps: SessionDependencies
  readonly #serverId: string
  readonly #client: SessionClient
  readonly #links: SessionLinks
  readonly #subscriptions: UpstreamSubscriptions
  readonly #definitions = new Map<string, JsonObject>()
  /** Decided once per tool and session: a list that changes by itself destroys the client's prompt cache. */
  readonly #offersGoal = new Map<string, boolean>()
  readonly #stopWatching: () => void
  /** The exploration tools joined this session's list, because a result was shortened and nothing else carries them. */
  #explorationListed = false
  #leaveReach: (() => void) | undefined

  constructor(deps: SessionDependencies, serverId: string, options: OpenSessionOptions) {
    this.id = deps.newId('s')
    this.#deps = deps
    this.#serverId = serverId
    this.#client = new SessionClient(options, deps.logger.child({ server: serverId }))
    this.#links = new SessionLinks({
      openLink: deps.openLink,
      client: options.client,
      logger: deps.logger.child({ session: this.id }),
      serverSettings: (id) => deps.settings().servers[id],
      onNotification: (_server, method, params) => this.#fromServer(method, params),
      onRequest: (_server, method, params, signal) => options.link.ask(method, params, { signal }),
      onLost: (_server, error) =>
        deps.logger.warn('server lost', { session: this.id, server: serverId, error: error.message }),
    })
    this.#subscriptions = new UpstreamSubscriptions({
      ended: this.#client.ended,
      reportLate: this.#client.reportLate,
      deliver: (_link, method, params) => this.#fromServer(method, params),
    })
    this.#stopWatching = deps.onSettingsChanged((change) => this.#settingsChanged(change))
  }

  async handleRequest(request: ClientRequest): Promise<JsonObject> {
    this.#client.learnFrom(request)
    try {
      return await this.#dispatch(request)
    } catch (error) {
      throw toRpcError(error)
    }
  }

  handleNotification(method: string, params: JsonObject | undefined): void {
    // The link has announced itself to the server already, and cancellation travels with the request's signal.
    if (method === 'notifications/initialized' || method === 'notifications/cancelled') return
    const link = this.#links.current(this.#serverId)
    if (link?.hello.era === 'legacy') link.notify(method, params).catch(this.#client.reportLate)
  }

  async close(): Promise<void> {
    this.#stopWatching()
    this.#leaveReach?.()
    this.#client.close()
    await this.#links.close()
  }

  #dispatch(request: ClientRequest): Promise<JsonObject> {
    switch (request.method) {
      case 'initialize':
        return this.#introduce((link) =>
          initializeResult(link.hello, stringIn(request.params, 'protocolVersion')),
        )
      case 'server/discover':
        return this.#introduce((link) => discoverResult(link.hello))
      case 'tools/list':
        return this.#listTools(request)
      case 'tools/call':
        return this.#callTool(request)
      case 'resources/read':
        return this.#content(request, 'resources/read', stringIn(request.params, 'uri'))
      case 'prompts/get':
        return this.#content(request, 'prompts/get', stringIn(request.params, 'name'))
      case 'subscriptions/listen':
        return this.#listen(request)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(request)
      default:
        return this.#relay(request)
    }
  }

  #open(): Promise<UpstreamLink> {
    return this.#links.open(this.#serverId, this.#client.hello)
  }

  async #introduce(answer: (link: UpstreamLink) => JsonObject): Promise<JsonObject> {
    const link = await this.#open()
    this.#subscriptions.follow(link)
    return answer(link)
  }

  async #relay(request: ClientRequest): Promise<JsonObject> {
    return this.#links.with(this.#serverId, this.#client.hello, async (link) => {
      // A modern server knows no ping; the legacy client still wants to hear that somebody is there.
      if (request.method === 'ping' && link.hello.era === 'modern') return {}
      const result = await link.request(
        request.method,
        paramsFor(link, request.params),
        relayOptions(request),
      )
      return resultFor(this.#client.hello, link, request.method, result)
    })
  }

  async #listTools(request: ClientRequest): Promise<JsonObject> {
    const result = await this.#relay(request)
    if (!Array.isArray(result['tools'])) return result
    const original = result['tools'].filter(isJsonObject)
    for (const tool of original) this.#definitions.set(stringIn(tool, 'name'), tool)
    const shown = original.flatMap((tool) => {
      const policy = this.#deps.toolPolicy(this.#serverId, stringIn(tool, 'name'))
      return policy.hidden ? [] : [presentTool(tool, policy, this.#goalFor(stringIn(tool, 'name'), policy))]
    })
    const isLastPage = result['nextCursor'] === undefined
    const own = this.#explorationListed && isLastPage ? this.#deps.exploration.definitions : []
    this.#deps.onListed({
      clientName: this.#client.name,
      sessionId: this.id,
      serverId: this.#serverId,
      own,
      shown,
      original,
    })
    return { ...result, tools: [...shown, ...own] }
  }

  #goalFor(tool: string, policy: ReturnType<SessionDependencies['toolPolicy']>): boolean {
    const decided = this.#offersGoal.get(tool)
    if (decided !== undefined) return decided
    const { goalParameter } = policy.compression
    const offers =
      goalParameter === 'always' ||
      (goalParameter === 'auto' && this.#deps.hasLargeResults(this.#serverId, tool))
    this.#offersGoal.set(tool, offers)
    return offers
  }

  async #callTool(request: ClientRequest): Promise<JsonObject> {
    const tool = stringIn(request.params, 'name')
    if (this.#deps.exploration.has(tool) && !this.#definitions.has(tool)) return this.#explore(tool, request)
    const result = await this.#callServer(tool, argumentsOf(request.params), request)
    this.#offerExploration(result)
    return result
  }

  #callServer(tool: string, args: JsonObject | undefined, request: ClientRequest): Promise<JsonObject> {
    const caller = {
      clientName: this.#client.name,
      sessionId: this.id,
      hello: this.#client.hello,
      links: this.#links,
    }
    const target = {
      serverId: this.#serverId,
      tool,
      arguments: args,
      definition: this.#definitions.get(tool),
    }
    return runToolCall(this.#deps, caller, target, request)
  }

  async #explore(tool: string, request: ClientRequest): Promise<JsonObject> {
    const result = await this.#deps.exploration.call(tool, argumentsOf(request.params), {
      clientName: this.#client.name,
      signal: request.signal,
      callFresh: (name, args) => this.#callServer(name, args, request),
    })
    return this.#client.hello.era === 'modern'
      ? toModernResult('tools/call', result, { name: 'sluice', version: this.#deps.version })
      : result
  }

  /** After a first shortened result the way back must be in reach: here, unless another session of the client has it. */
  #offerExploration(result: JsonObject): void {
    if (this.#explorationListed || !isJsonObject(result['_meta']) || !('sluice/result' in result['_meta']))
      return
    if (this.#deps.explorationReach.has(this.#client.name)) return
    this.#explorationListed = true
    this.#leaveReach = this.#deps.explorationReach.enter(this.#client.name)
    this.#client.notify('notifications/tools/list_changed', undefined)
  }

  async #content(request: ClientRequest, method: ContentOrigin['method'], name: string): Promise<JsonObject> {
    const result = await this.#relay(request)
    return this.#deps.treatContent(result, {
      clientName: this.#client.name,
      serverId: this.#serverId,
      method,
      name,
    })
  }

  async #subscribe(request: ClientRequest): Promise<JsonObject> {
    const link = await this.#open()
    if (link.hello.era === 'legacy') return this.#relay(request)
    const wanted = request.method === 'resources/subscribe'
    this.#subscriptions.setResource(link, stringIn(request.params, 'uri'), wanted)
    return {}
  }

  async #listen(request: ClientRequest): Promise<JsonObject> {
    const link = await this.#open()
    this.#subscriptions.follow(link)
    const honoured = honouredFilter(parseFilter(request.params), link.hello.capabilities)
    return this.#subscriptions.whileListening(link, honoured.resourceSubscriptions ?? [], () =>
      this.#client.subscriptions.serve(request, honoured),
    )
  }

  #fromServer(method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/subscriptions/acknowledged') return
    this.#client.notify(method, withoutSubscription(params))
  }

  #settingsChanged(change: SettingsChange): void {
    const id = this.#serverId
    if (change.restarted.includes(id) || change.removed.includes(id)) this.#links.retire(id)
    if ([...change.restarted, ...change.reshaped].includes(id)) {
      this.#client.notify('notifications/tools/list_changed', undefined)
    }
  }
}
