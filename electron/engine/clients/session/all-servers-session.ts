import type { ClientRequest, ClientSession, OpenSessionOptions } from '../transports/client-session.ts'
import type { ServerHello } from '../../protocol/era.ts'
import {
  discoverResult,
  initializeResult,
  toLegacyResult,
  toModernResult,
} from '../../protocol/era-bridge.ts'
import { withoutTasks } from '../../protocol/without-tasks.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { AllServersContent } from './all-servers-content.ts'
import { AllServersCatalog } from './all-servers-catalog.ts'
import { parseFilter } from './client-subscriptions.ts'
import { joinInstructions, ownHello, ownImplementation } from './own-hello.ts'
import { publicResult, publicSaying } from './public-uris.ts'
import { onlyOneThatWaits } from './approval-questions.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import { failedResult, refused, toRpcError } from './relay.ts'
import { argumentsOf, callerOf, runToolCall, toolNameOf } from './run-tool-call.ts'
import { ServerRoster } from './server-roster.ts'
import { hasCapability } from './list-all.ts'
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import { APPROVE_TOOL, approveTool, SessionOffers } from './session-offers.ts'
import { Patience } from './patience.ts'
import { ToolPresenter } from './tool-presenter.ts'
import { answerLazily, isLazyTool, lazyDefinitions } from './lazy-tools.ts'
import { SessionClient } from './session-client.ts'
import { SessionLinks, type SessionLinksOptions } from './session-links.ts'
import { ownerOf, unlistedTool } from './unlisted-tool.ts'
import { honouredFilter, UpstreamSubscriptions, withoutSubscription } from './upstream-subscriptions.ts'

/**
 * A client with every enabled server (`/mcp`), or with Sluice's tools only (the `sluice` entry, `listsServers` false:
 * servers start only for fresh calls).
 */
export function createAllServersSession(
  deps: SessionDependencies,
  options: OpenSessionOptions,
  listsServers: boolean,
): ClientSession {
  return new AllServersSession(deps, options, listsServers)
}

/** Methods whose answers are made in the client's era to begin with. */
const ownEra = new Set(['initialize', 'server/discover', 'subscriptions/listen'])

class AllServersSession implements ClientSession {
  readonly id: string
  readonly #deps: SessionDependencies
  readonly #listsServers: boolean
  readonly #client: SessionClient
  readonly #links: SessionLinks
  readonly #subscriptions: UpstreamSubscriptions
  readonly #roster: ServerRoster
  readonly #offers: SessionOffers
  readonly #patience: Patience<UpstreamLink>
  readonly #catalog: AllServersCatalog
  readonly #content: AllServersContent
  readonly #stopWatching: () => void
  #leaveReach: (() => void) | undefined
  #logLevel: JsonObject | undefined

  constructor(deps: SessionDependencies, options: OpenSessionOptions, listsServers: boolean) {
    this.id = deps.newId('s')
    this.#deps = deps
    this.#client = new SessionClient(options, deps.logger.child({ session: this.id }))
    this.#listsServers = listsServers
    this.#links = new SessionLinks({
      openLink: deps.openLink,
      client: options.client,
      logger: deps.logger.child({ session: this.id }),
      serverSettings: (id) => deps.settings().servers[id] ?? deps.settingsFault(id),
      onNotification: (serverId, method, params) => this.#fromServer(serverId, method, params),
      onRequest: (serverId, ...question) => this.#askClient(serverId, ...question),
      onLost: (serverId) => {
        deps.logger.warn('server lost', { session: this.id, server: serverId })
        this.#listsChanged()
      },
    })
    this.#subscriptions = new UpstreamSubscriptions({
      ended: this.#client.ended,
      reportLate: this.#client.reportLate,
      deliver: (link, method, params) => this.#fromServer(link.serverId, method, params),
    })
    this.#roster = new ServerRoster({
      deps,
      links: this.#links,
      now: () => performance.now(),
      onLate: () => this.#listsChanged(),
    })
    this.#offers = new SessionOffers(deps.approvals, () => performance.now())
    this.#patience = new Patience(() => this.#listsChanged())
    this.#catalog = new AllServersCatalog(
      deps,
      this.#offers,
      this.#patience,
      new ToolPresenter(deps, () => this.#client.hello.clientInfo.name),
    )
    const stops = [
      deps.onSettingsChanged((change) => this.#settingsChanged(change)),
      deps.approvals.onChange(() => this.#listsChanged()),
    ]
    this.#content = new AllServersContent({
      deps,
      client: this.#client,
      sessionId: this.id,
      links: this.#links,
      offers: this.#offers,
      roster: this.#roster,
      catalog: this.#catalog,
      subscriptions: this.#subscriptions,
      listPrompts: () => this.#list('prompts/list', 'prompts', 'prompts'),
      listResources: () => this.#list('resources/list', 'resources', 'resources'),
    })
    this.#stopWatching = () => stops.forEach((stop) => stop())
  }

  async handleRequest(received: ClientRequest): Promise<JsonObject> {
    const request = this.#client.take({ ...received, params: withoutTasks(received.params) })
    if (this.#client.introduced) this.#leaveReach ??= this.#deps.explorationReach.enter(this.#client.name)
    try {
      const origin = { clientName: this.#client.name, serverId: '', method: request.method }
      const result = this.#client.fit(await this.#deps.guardErrors(origin, () => this.#dispatch(request)))
      if (ownEra.has(request.method)) return result
      return this.#client.hello.era === 'modern'
        ? toModernResult(request.method, result, ownImplementation(this.#deps.version))
        : toLegacyResult(result)
    } catch (error) {
      throw toRpcError(error)
    }
  }

  handleNotification(method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/initialized') this.#client.markReady()
    if (method === 'notifications/initialized' || method === 'notifications/cancelled') return
    for (const link of this.#links.all())
      if (link.hello.era === 'legacy') link.notify(method, params).catch(this.#client.reportLate)
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
        return this.#introduce((hello) => initializeResult(hello, hello.protocolVersion))
      case 'server/discover':
        return this.#introduce(discoverResult)
      case 'ping':
        return Promise.resolve({})
      case 'tools/list':
        return this.#listTools()
      case 'tools/call':
        return this.#callTool(request)
      case 'prompts/list':
        return this.#list('prompts/list', 'prompts', 'prompts')
      case 'resources/list':
        return this.#list('resources/list', 'resources', 'resources')
      case 'resources/templates/list':
        return this.#list('resources/templates/list', 'resourceTemplates', 'resources')
      case 'prompts/get':
        return this.#content.getPrompt(request)
      case 'resources/read':
        return this.#content.readResource(request)
      case 'subscriptions/listen':
        return this.#listen(request)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#content.subscribe(request)
      case 'completion/complete':
        return this.#content.complete(request)
      case 'logging/setLevel':
        return this.#setLevel(request)
      default:
        throw new RpcError(RpcErrorCode.methodNotFound, `Method not found: ${request.method}`)
    }
  }

  async #serverLinks(): Promise<UpstreamLink[]> {
    if (!this.#listsServers) return []
    const links = await this.#roster.links(this.#client.hello)
    for (const link of links) this.#follow(link)
    return links
  }

  /** Once per link: follows its changes and sets the client's log level. */
  #follow(link: UpstreamLink): void {
    if (!this.#subscriptions.follow(link) || link.hello.era === 'modern') return
    if (this.#logLevel && hasCapability(link, 'logging')) {
      link.request('logging/setLevel', this.#logLevel).catch(this.#client.reportLate)
    }
  }

  async #introduce(answer: (hello: ServerHello) => JsonObject): Promise<JsonObject> {
    const links = await this.#serverLinks()
    await this.#offers.inTime(links, this.#patience)
    // Instructions of unapproved servers would reach the model unseen by the user.
    const open = links.filter((link) => this.#offers.isOpen(link))
    const said = open.map(({ serverId, hello: { instructions } }) => ({
      serverId,
      ...this.#deps.cleanDefinition(serverId, instructions === undefined ? {} : { instructions }),
    }))
    return answer(this.#ownHello(joinInstructions(said, this.#roster.failures())))
  }

  #ownHello(instructions?: string): ServerHello {
    return ownHello({
      version: this.#deps.version,
      requestedVersion: this.#client.hello.protocolVersion,
      listsServers: this.#listsServers,
      instructions,
    })
  }

  async #listTools(): Promise<JsonObject> {
    const links = await this.#serverLinks()
    const shown = await this.#catalog.listTools(links)
    const asks = this.#offersApproveTool ? [approveTool('several servers')] : []
    const lazy = lazyDefinitions(this.#catalog.lazyTools())
    const own = [...lazy, ...this.#deps.exploration.definitions(), ...asks]
    this.#deps.onListed({
      clientName: this.#client.name,
      sessionId: this.id,
      serverId: undefined,
      own,
      shown,
      original: this.#catalog.originals(),
    })
    return { tools: [...shown, ...own] }
  }

  async #list(method: string, field: string, capability: string): Promise<JsonObject> {
    const links = (await this.#serverLinks()).filter((link) => hasCapability(link, capability))
    return { [field]: await this.#catalog.list(links, method, field) }
  }

  async #callTool(request: ClientRequest): Promise<JsonObject> {
    const name = toolNameOf(request.params)
    const args = argumentsOf(request.params)
    if (name === APPROVE_TOOL && this.#offersApproveTool) return this.#askAbout(args?.['server'], request)
    if (isLazyTool(name) && this.#listsServers) return this.#answerLazily(name, request)
    if (!this.#deps.exploration.has(name)) return this.#callServer(name, args, request)
    return this.#deps.exploration.call(name, args, {
      clientName: this.#client.name,
      signal: request.signal,
      callFresh: (tool, toolArgs) => this.#callServer(tool, toolArgs, request, true),
    })
  }

  #answerLazily(tool: string, request: ClientRequest): Promise<JsonObject> {
    return answerLazily({
      tool,
      request,
      tools: async () => {
        if (this.#catalog.lazyTools().length === 0) await this.#catalog.listTools(await this.#serverLinks())
        return this.#catalog.lazyTools()
      },
      call: (...named) => this.#callServer(...named),
      onTold: (text) => this.#deps.onToldOfTools({ ...this.#saidBy(''), serverId: undefined, text }),
    })
  }

  async #callServer(
    name: string,
    args: JsonObject | undefined,
    request: ClientRequest,
    isFresh = false,
  ): Promise<JsonObject> {
    const found = await this.#findTool(name)
    if (typeof found === 'string') return failedResult(found)
    const { serverId, tool } = found
    const offer = await this.#offerOf(serverId)
    if (offer.blocked !== undefined) return this.#ask(serverId, offer, request)
    const origin = { clientName: this.#client.name, serverId, method: request.method }
    const definition = await this.#deps.guardErrors(origin, () => offer.approvedTool(tool))
    const refusal = definition ? undefined : offer.refusalOfTool(tool, isFresh)
    const { serverInfo } = offer.hello
    const target = { serverId, tool, serverInfo, arguments: args, definition, refusal, isFresh }
    const result = await runToolCall(
      this.#deps,
      callerOf(this.id, this.#client, this.#links),
      target,
      request,
    )
    await offer.learnLinks(result)
    return publicResult(serverId, 'tools/call', result)
  }

  get #offersApproveTool(): boolean {
    return this.#listsServers && this.#deps.settings().approvals.approveTool
  }

  #ask(serverId: string, offer: ApprovedOffer, request: ClientRequest): Promise<JsonObject> {
    return this.#deps.questions.put({ serverId, offer, client: this.#client, request })
  }

  /** Requests approval of the named server, or of the waiting one. */
  async #askAbout(named: unknown, request: ClientRequest): Promise<JsonObject> {
    const ids = this.#roster.ids()
    if (typeof named === 'string' && ids.includes(named))
      return this.#ask(named, await this.#offerOf(named), request)
    if (named !== undefined)
      return failedResult(`There is no server ${JSON.stringify(named)}. Servers: ${ids.join(', ')}.`)
    const links = await this.#serverLinks()
    const which = onlyOneThatWaits(await this.#offers.inTime(links, this.#patience))
    return typeof which === 'string' ? failedResult(which) : this.#ask(which.serverId, which.offer, request)
  }

  async #findTool(name: string): ReturnType<typeof unlistedTool> {
    const known = this.#catalog.tool(name)
    if (known) return known
    // Called without prior listing, or a fresh call from the `sluice` entry.
    await this.#catalog.listTools(await this.#linksFor(name))
    const isSlow = (id: string): boolean => this.#patience.isOverdue(this.#links.current(id), 'tools/list')
    const offerOf = (id: string): Promise<ApprovedOffer> => this.#offerOf(id)
    const asked = { deps: this.#deps, roster: this.#roster, isSlow, offerOf }
    return this.#catalog.tool(name) ?? unlistedTool(name, asked)
  }

  async #linksFor(name: string): Promise<UpstreamLink[]> {
    if (this.#listsServers) return this.#serverLinks()
    const owner = ownerOf(name, this.#roster.ids())
    return owner === undefined ? [] : [await this.#links.open(owner, this.#client.hello)]
  }

  async #offerOf(serverId: string): Promise<ApprovedOffer> {
    return this.#offers.of(await this.#links.open(serverId, this.#client.hello))
  }

  async #setLevel(request: ClientRequest): Promise<JsonObject> {
    this.#logLevel = { level: request.params?.['level'] }
    const links = this.#links
      .all()
      .filter((link) => link.hello.era === 'legacy' && hasCapability(link, 'logging'))
    await Promise.allSettled(links.map((link) => link.request('logging/setLevel', this.#logLevel)))
    return {}
  }

  async #listen(request: ClientRequest): Promise<JsonObject> {
    const honoured = honouredFilter(parseFilter(request.params), this.#ownHello().capabilities)
    await this.#serverLinks()
    return this.#content.whileListening(honoured.resourceSubscriptions ?? [], () =>
      this.#client.subscriptions.serve(request, honoured),
    )
  }

  #fromServer(serverId: string, method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/subscriptions/acknowledged') return
    const link = this.#links.current(serverId)
    const isListChange = method.endsWith('/list_changed')
    if (isListChange) this.#offers.markStale(link)
    // A blocked server must not reach the model, also not by logs or updates.
    const isOpen = (): boolean => this.#offers.isOpen(this.#links.current(serverId))
    const bare = isListChange && !isOpen() ? undefined : withoutSubscription(params)
    if (method === 'notifications/tools/list_changed') this.#catalog.forget(serverId)
    const notify = (shown?: JsonObject): void =>
      this.#client.notify(method, publicSaying(serverId, method, shown), () => isListChange || isOpen())
    if (bare) this.#deps.said(this.#saidBy(serverId), bare, notify)
    else notify()
  }

  #saidBy(serverId: string) {
    return { clientName: this.#client.name, sessionId: this.id, serverId }
  }

  readonly #askClient: SessionLinksOptions['onRequest'] = async (
    serverId,
    method,
    params,
    signal,
    notify,
  ) => {
    const isOpen = this.#offers.isOpen(this.#links.current(serverId))
    // Roots don't reach the model, and some servers need them before listing.
    if (method !== 'roots/list' && !isOpen)
      throw refused(`Server "${serverId}" is not approved, so it can't ask the client for ${method}.`)
    return this.#deps.question(this.#saidBy(serverId), method, isOpen ? params : undefined, (shown) =>
      this.#client.ask(method, shown, signal, notify),
    )
  }

  #listsChanged(): void {
    for (const list of ['tools', 'prompts', 'resources']) {
      this.#client.notify(`notifications/${list}/list_changed`, undefined)
    }
  }

  #settingsChanged(change: SettingsDiff): void {
    for (const id of [...change.restarted, ...change.removed]) this.#links.retire(id)
    for (const id of [...change.restarted, ...change.removed, ...change.reshaped]) this.#catalog.forget(id)
    const touched = [...change.added, ...change.removed, ...change.restarted, ...change.reshaped]
    if (touched.length > 0 && this.#listsServers) this.#listsChanged()
  }
}
