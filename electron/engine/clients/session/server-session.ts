import type { ClientRequest, ClientSession, OpenSessionOptions } from '../transports/client-session.ts'
import { discoverResult, initializeResult, toModernResult } from '../../protocol/era-bridge.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { PinnedKind } from '../../approvals/pinned-item.ts'
import type { Implementation, ServerHello } from '../../protocol/era.ts'
import { withKnownFields } from '../../protocol/introduction.ts'
import { stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamEvents, UpstreamLink } from '../../protocol/link.ts'
import { ownImplementation } from './own-hello.ts'
import { listPage } from './list-page.ts'
import { parseFilter } from './client-subscriptions.ts'
import { refused, relayOptions, resultFor, toRpcError } from './relay.ts'
import { argumentsOf, callerOf, runToolCall, toolNameOf } from './run-tool-call.ts'
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import type { SaidBy } from '../../message/origins.ts'
import { SessionClient } from './session-client.ts'
import { methodNotFound, ServerContent } from './server-content.ts'
import { SessionLinks } from './session-links.ts'
import { ExplorationListing } from './exploration-listing.ts'
import { answerLazily, isLazyTool, lazyDefinitions } from './lazy-tools.ts'
import { ToolPresenter } from './tool-presenter.ts'
import {
  APPROVE_TOOL,
  approveTool,
  BLOCKED_TOOL,
  blockedTool,
  offersApproveTool,
  SessionOffers,
} from './session-offers.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import { honouredFilter, UpstreamSubscriptions, withoutSubscription } from './upstream-subscriptions.ts'

/**
 * One client with one server, names unchanged: used by wrapping. Relays everything except reshaped tools and large
 * results.
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
  readonly #content: ServerContent
  readonly #offers: SessionOffers
  readonly #presenter: ToolPresenter
  readonly #stopWatching: () => void
  readonly #exploration: ExplorationListing

  constructor(deps: SessionDependencies, serverId: string, options: OpenSessionOptions) {
    this.id = deps.newId('s')
    this.#deps = deps
    this.#serverId = serverId
    this.#client = new SessionClient(options, deps.logger.child({ server: serverId }))
    this.#links = new SessionLinks({
      openLink: deps.openLink,
      client: options.client,
      logger: deps.logger.child({ session: this.id }),
      serverSettings: (id) => deps.settings().servers[id] ?? deps.settingsFault(id),
      onNotification: (_server, method, params) => this.#fromServer(method, params),
      onRequest: (_server, ...question) => this.#askClient(...question),
      onLost: (_server, error) =>
        deps.logger.warn('server lost', { session: this.id, server: serverId, error: error.message }),
    })
    this.#offers = new SessionOffers(deps.approvals, () => performance.now())
    this.#exploration = new ExplorationListing(
      deps.explorationReach,
      () => this.#client.name,
      () => this.#client.notify('notifications/tools/list_changed', undefined),
    )
    this.#presenter = new ToolPresenter(deps, () => this.#client.hello.clientInfo.name)
    this.#subscriptions = new UpstreamSubscriptions({
      ended: this.#client.ended,
      reportLate: this.#client.reportLate,
      deliver: (_link, method, params) => this.#fromServer(method, params),
    })
    this.#content = new ServerContent({
      deps,
      client: this.#client,
      sessionId: this.id,
      serverId,
      subscriptions: this.#subscriptions,
      open: () => this.#open(),
      offer: () => this.#offer(),
      relay: (request) => this.#relay(request),
    })
    const stops = [
      deps.onSettingsChanged((change) => this.#settingsChanged(change)),
      deps.approvals.onChange(() => this.#listsChanged()),
    ]
    this.#stopWatching = () => stops.forEach((stop) => stop())
  }

  async handleRequest(received: ClientRequest): Promise<JsonObject> {
    const request = this.#client.take(received)
    try {
      const { name: clientName } = this.#client
      const origin = { clientName, serverId: this.#serverId, method: request.method }
      return this.#client.fit(await this.#deps.guardErrors(origin, () => this.#dispatch(request)))
    } catch (error) {
      if (error instanceof SluiceError && error.data['quarantineId'] !== undefined) this.#exploration.list()
      throw toRpcError(error)
    }
  }

  handleNotification(method: string, params: JsonObject | undefined): void {
    // The link already initialised the server, and the request's signal carries cancellation.
    if (method === 'notifications/initialized') this.#client.markReady()
    if (method === 'notifications/initialized' || method === 'notifications/cancelled') return
    const link = this.#links.current(this.#serverId)
    if (link?.hello.era === 'legacy') link.notify(method, params).catch(this.#client.reportLate)
  }

  async close(): Promise<void> {
    this.#stopWatching()
    this.#exploration.leave()
    this.#client.close()
    await this.#links.close()
  }

  #dispatch(request: ClientRequest): Promise<JsonObject> {
    switch (request.method) {
      case 'initialize':
        return this.#introduce((hello) =>
          initializeResult(hello, stringIn(request.params, 'protocolVersion')),
        )
      case 'server/discover':
        return this.#introduce(discoverResult)
      case 'tools/list':
        return this.#listTools(request)
      case 'tools/call':
        return this.#callTool(request)
      case 'prompts/list':
        return this.#listItems(request, 'prompts', 'prompt')
      case 'resources/list':
        return this.#listItems(request, 'resources', 'resource')
      case 'resources/templates/list':
        return this.#listItems(request, 'resourceTemplates', 'template')
      case 'resources/read':
        return this.#content.read(request)
      case 'prompts/get':
        return this.#content.getPrompt(request)
      case 'subscriptions/listen':
        return this.#listen(request)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#content.subscribe(request)
      case 'ping':
      case 'logging/setLevel':
        return this.#relay(request).then((answer) => withKnownFields(answer, {}, this.#serverInfo()))
      default:
        return this.#content.askOther(request)
    }
  }

  #open(): Promise<UpstreamLink> {
    return this.#links.open(this.#serverId, this.#client.hello)
  }

  /** At once for every call but the first. */
  #offer(): ApprovedOffer | Promise<ApprovedOffer> {
    const known = this.#offers.known(this.#links.current(this.#serverId))
    return known ?? this.#open().then((link) => this.#offers.of(link))
  }

  async #introduce(answer: (hello: ServerHello) => JsonObject): Promise<JsonObject> {
    const link = await this.#open()
    this.#subscriptions.follow(link)
    return this.#clean(answer((await this.#offers.of(link)).hello))
  }

  #clean(definition: JsonObject): JsonObject {
    return this.#deps.cleanDefinition(this.#serverId, definition)
  }

  #saidBy(): SaidBy {
    return { clientName: this.#client.name, sessionId: this.id, serverId: this.#serverId }
  }

  async #relay(request: ClientRequest): Promise<JsonObject> {
    return this.#links.with(this.#serverId, this.#client.hello, async (link) => {
      // Modern servers have no ping; answer the legacy client.
      if (request.method === 'ping' && link.hello.era === 'modern' && this.#client.hello.era === 'legacy')
        return {}
      const result = await link.request(
        request.method,
        request.params,
        relayOptions(request, {
          guard: (said, deliver) => this.#deps.said(this.#saidBy(), said, deliver),
        }),
      )
      return resultFor(this.#client.hello, link, request.method, result, this.#serverInfo())
    })
  }

  #page(
    request: ClientRequest,
    field: string,
    show: (items: JsonObject[], isLastPage: boolean) => JsonObject[] | Promise<JsonObject[]>,
  ): Promise<JsonObject> {
    const serverId = this.#serverId
    const relay = (asked: ClientRequest): Promise<JsonObject> => this.#relay(asked)
    return listPage({ serverId, request, field, relay, show, serverInfo: () => this.#serverInfo() })
  }

  /** The approved introduction; before the check, its name in config.json. */
  #serverInfo(): Implementation {
    const offer = this.#offers.known(this.#links.current(this.#serverId))
    return offer?.hello.serverInfo ?? { name: this.#serverId, version: '' }
  }

  async #listTools(request: ClientRequest): Promise<JsonObject> {
    const offer = await this.#offer()
    if (offer.blocked !== undefined) return this.#made({ tools: await this.#shownTools([], true, offer) })
    if (request.params?.['cursor'] === undefined) this.#presenter.startList(this.#serverId)
    return this.#page(request, 'tools', async (tools, isLastPage) => {
      // The server lists now; an earlier attempt may have failed.
      await offer.retryTools()
      const original = await offer.allowed('tool', tools)
      if (original.length < tools.length) this.#offers.markStale(await this.#open())
      return this.#shownTools(original, isLastPage, offer)
    })
  }

  async #shownTools(
    original: JsonObject[],
    isLastPage: boolean,
    offer: ApprovedOffer,
  ): Promise<JsonObject[]> {
    const isLazy = this.#isLazy
    const shown = isLazy ? [] : await this.#presenter.all(this.#serverId, original, 'next')
    const unlisted = isLazy && isLastPage && offer.blocked === undefined ? await this.#lazyTools(offer) : []
    const own = [
      ...(offer.blocked === undefined ? [] : [blockedTool(offer.blocked)]),
      ...lazyDefinitions(unlisted),
      ...(isLastPage && (await offersApproveTool(this.#deps.settings(), offer))
        ? [approveTool('one server')]
        : []),
      ...(this.#exploration.isListed && isLastPage ? this.#deps.exploration.definitions() : []),
    ]
    this.#deps.onListed({
      clientName: this.#client.name,
      sessionId: this.id,
      serverId: this.#serverId,
      own,
      shown,
      original,
    })
    return [...shown, ...own]
  }

  get #isLazy(): boolean {
    return this.#deps.toolPolicy(this.#serverId, '').toolList.lazy
  }

  readonly #lazyTools = async (offer: ApprovedOffer): Promise<JsonObject[]> =>
    this.#presenter.all(this.#serverId, await offer.approvedTools(), 'alone')

  #answerLazily(tool: string, request: ClientRequest, offer: ApprovedOffer): Promise<JsonObject> {
    return answerLazily({
      tool,
      request,
      tools: () => this.#lazyTools(offer),
      call: (...named) => this.#callServer(...named),
      onTold: (text) => this.#deps.onToldOfTools({ ...this.#saidBy(), text }),
    })
  }

  async #listItems(request: ClientRequest, field: string, kind: PinnedKind): Promise<JsonObject> {
    const offer = await this.#offer()
    if (offer.blocked !== undefined) return this.#made({ [field]: [] })
    return this.#page(request, field, async (items) =>
      this.#presenter.cleaned(this.#serverId, await offer.allowed(kind, items)),
    )
  }

  /** A result of Sluice's own, in the client's era. */
  #made(result: JsonObject, method = 'tools/list'): JsonObject {
    return this.#client.hello.era === 'modern'
      ? toModernResult(method, result, ownImplementation(this.#deps.version))
      : result
  }

  async #callTool(request: ClientRequest): Promise<JsonObject> {
    const tool = toolNameOf(request.params)
    const offer = await this.#offer()
    const asksUser =
      (tool === BLOCKED_TOOL && offer.blocked !== undefined) ||
      (tool === APPROVE_TOOL && (await offersApproveTool(this.#deps.settings(), offer, true)))
    if (asksUser) {
      const question = { serverId: this.#serverId, offer, client: this.#client, request }
      return this.#made(await this.#deps.questions.put(question), 'tools/call')
    }
    if (this.#deps.exploration.has(tool) && (await offer.approvedTool(tool)) === undefined) {
      return this.#explore(tool, request)
    }
    const result = await (isLazyTool(tool) && this.#isLazy && offer.blocked === undefined
      ? this.#answerLazily(tool, request, offer)
      : this.#callServer(tool, argumentsOf(request.params), request))
    this.#exploration.listFor(result)
    return result['resultType'] === undefined ? this.#made(result, 'tools/call') : result
  }

  async #callServer(
    tool: string,
    args: JsonObject | undefined,
    request: ClientRequest,
    isFresh = false,
  ): Promise<JsonObject> {
    const offer = await this.#offer()
    const definition = await offer.approvedTool(tool)
    if (!definition && offer.blocked === undefined && !offer.hasTools) throw methodNotFound()
    const target = {
      serverId: this.#serverId,
      tool,
      serverInfo: offer.hello.serverInfo,
      arguments: args,
      definition,
      refusal: definition ? undefined : offer.refusalOfTool(tool, isFresh),
      isFresh,
    }
    const result = await runToolCall(
      this.#deps,
      callerOf(this.id, this.#client, this.#links),
      target,
      request,
    )
    await offer.learnLinks(result)
    return result
  }

  async #explore(tool: string, request: ClientRequest): Promise<JsonObject> {
    const result = await this.#deps.exploration.call(tool, argumentsOf(request.params), {
      clientName: this.#client.name,
      signal: request.signal,
      callFresh: (name, args) => this.#callServer(name, args, request, true),
    })
    return this.#made(result, 'tools/call')
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
    const link = this.#links.current(this.#serverId)
    const isListChange = method.endsWith('/list_changed')
    if (isListChange) this.#offers.markStale(link)
    // A blocked server must not reach the model, also not by logs or updates.
    const isOpen = (): boolean => this.#offers.isOpen(this.#links.current(this.#serverId))
    const bare = isListChange && !isOpen() ? undefined : withoutSubscription(params)
    const notify = (shown?: JsonObject): void =>
      this.#client.notify(method, shown, () => isListChange || isOpen())
    if (bare) this.#deps.said(this.#saidBy(), bare, notify)
    else notify()
  }

  readonly #askClient: UpstreamEvents['onRequest'] = async (method, params, signal, notify) => {
    const isOpen = this.#offers.isOpen(this.#links.current(this.#serverId))
    // Roots don't reach the model, and some servers need them before listing.
    if (method !== 'roots/list' && !isOpen)
      throw refused(`Server "${this.#serverId}" is not approved, so it can't ask the client for ${method}.`)
    return this.#deps.question(this.#saidBy(), method, isOpen ? params : undefined, (shown) =>
      this.#client.ask(method, shown, signal, notify),
    )
  }

  #listsChanged(): void {
    for (const list of ['tools', 'prompts', 'resources']) {
      this.#client.notify(`notifications/${list}/list_changed`)
    }
  }

  #settingsChanged(change: SettingsDiff): void {
    const id = this.#serverId
    if (change.restarted.includes(id) || change.removed.includes(id)) this.#links.retire(id)
    if ([...change.restarted, ...change.reshaped].includes(id)) {
      this.#client.notify('notifications/tools/list_changed', undefined)
    }
  }
}
