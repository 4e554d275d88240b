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
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { ClientRequest } from '../transports/client-session.ts'
import { isInProfile } from '../../settings/profiles.ts'
import { AllServersCatalog } from './all-servers-catalog.ts'
import { AllServersContent } from './all-servers-content.ts'
import { onlyOneThatWaits } from './approval-questions.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import { parseFilter } from './client-subscriptions.ts'
import { answerLazily, isLazyTool, lazyDefinitions } from './lazy-tools.ts'
import { hasCapability } from './list-all.ts'
import { joinInstructions, ownHello, ownImplementation } from './own-hello.ts'
import { Patience } from './patience.ts'
import { publicResult, publicSaying } from './public-uris.ts'
import { failedResult } from './relay.ts'
import { argumentsOf, callerOf, confirmBy, runToolCall, toolNameOf } from './run-tool-call.ts'
import { ServerRoster } from './server-roster.ts'
import { APPROVE_TOOL, approveTool, BLOCKED_TOOL } from './session-offers.ts'
import type { SessionCore, View } from './session.ts'
import { ownerOf, unlistedTool } from './unlisted-tool.ts'
import { honouredFilter } from './upstream-subscriptions.ts'

const ownEra = new Set(['initialize', 'server/discover', 'subscriptions/listen'])

/**
 * All enabled servers (`/mcp`), or with `listsServers` false only Sluice's tools (the `sluice` entry; servers start
 * for fresh calls).
 */
export class AllServersView implements View {
  readonly serverId = ''
  readonly methods: View['methods']
  readonly #core: SessionCore
  readonly #listsServers: boolean
  /** That the client asks for. */
  readonly #profile: string | undefined
  readonly #roster: ServerRoster
  readonly #patience: Patience<UpstreamLink>
  readonly #catalog: AllServersCatalog
  readonly #content: AllServersContent
  #leaveReach: (() => void) | undefined
  #logLevel: JsonObject | undefined

  constructor(core: SessionCore, listsServers: boolean, profile?: string) {
    const { deps, links, offers, listsChanged } = core
    this.#core = core
    this.#listsServers = listsServers
    this.#profile = profile
    const isReachable = (id: string): boolean => this.isReachable(id)
    this.#roster = new ServerRoster({
      deps,
      links,
      isReachable,
      now: () => performance.now(),
      onLate: listsChanged,
    })
    this.#patience = new Patience(listsChanged, deps.startGrace)
    this.#catalog = new AllServersCatalog(deps, offers, this.#patience, core.presenter)
    const content = new AllServersContent({
      core,
      roster: this.#roster,
      catalog: this.#catalog,
      listPrompts: () => this.#list('prompts/list', 'prompts', 'prompts'),
      listResources: () => this.#list('resources/list', 'resources', 'resources'),
    })
    this.#content = content
    this.methods = {
      initialize: () => this.#introduce((hello) => initializeResult(hello, hello.protocolVersion)),
      'server/discover': () => this.#introduce(discoverResult),
      ping: () => Promise.resolve({}),
      'logging/setLevel': (request) => this.#setLevel(request),
      'tools/list': () => this.#listTools(),
      'tools/call': (request) => this.#callTool(request),
      'prompts/list': () => this.#list('prompts/list', 'prompts', 'prompts'),
      'prompts/get': (request) => content.getPrompt(request),
      'resources/list': () => this.#list('resources/list', 'resources', 'resources'),
      'resources/templates/list': () =>
        this.#list('resources/templates/list', 'resourceTemplates', 'resources'),
      'resources/read': (request) => content.readResource(request),
      'resources/subscribe': (request) => content.subscribe(request),
      'resources/unsubscribe': (request) => content.subscribe(request),
      'subscriptions/listen': (request) => this.#listen(request),
      'completion/complete': (request) => content.complete(request),
    }
  }

  readonly other = ({ method }: ClientRequest): Promise<JsonObject> =>
    Promise.reject(new RpcError(RpcErrorCode.methodNotFound, `Method not found: ${method}`))

  isReachable(serverId: string): boolean {
    if (!this.#listsServers) return true
    const { deps, client } = this.#core
    const asking = { profile: this.#profile, client: client.name, folder: client.place.cwd }
    return isInProfile(deps.settings(), asking, serverId)
  }

  take(request: ClientRequest): ClientRequest {
    return { ...request, params: withoutTasks(request.params) }
  }

  met(): void {
    const { deps, client } = this.#core
    this.#leaveReach ??= deps.explorationReach.enter(client.name)
  }

  finish({ method }: ClientRequest, result: JsonObject): JsonObject {
    if (ownEra.has(method)) return result
    return this.#core.client.hello.era === 'modern'
      ? toModernResult(method, result, ownImplementation(this.#core.deps.version))
      : toLegacyResult(result)
  }

  failed(): void {}

  shown(serverId: string, method: string, params: JsonObject | undefined): JsonObject | undefined {
    return publicSaying(serverId, method, params)
  }

  forget(serverId: string): void {
    this.#catalog.forget(serverId)
  }

  lost(): void {
    this.#core.listsChanged()
  }

  settingsChanged(change: SettingsDiff): void {
    for (const id of [...change.restarted, ...change.removed]) this.#core.links.retire(id)
    for (const id of [...change.restarted, ...change.removed, ...change.reshaped]) this.#catalog.forget(id)
    for (const { serverId } of this.#core.links.all())
      if (!this.isReachable(serverId)) this.#core.links.retire(serverId)
    const touched = [...change.added, ...change.removed, ...change.restarted, ...change.reshaped]
    if (touched.length > 0 && this.#listsServers) this.#core.listsChanged()
  }

  close(): void {
    this.#leaveReach?.()
  }

  async #serverLinks(): Promise<UpstreamLink[]> {
    if (!this.#listsServers) return []
    const links = await this.#roster.links(this.#core.client.hello)
    for (const link of links) this.#follow(link)
    return links
  }

  /** Once per link. */
  #follow(link: UpstreamLink): void {
    if (!this.#core.subscriptions.follow(link) || link.hello.era === 'modern') return
    if (this.#logLevel && hasCapability(link, 'logging')) {
      link.request('logging/setLevel', this.#logLevel).catch(this.#core.client.reportLate)
    }
  }

  async #introduce(answer: (hello: ServerHello) => JsonObject): Promise<JsonObject> {
    const links = await this.#serverLinks()
    await this.#core.offers.inTime(links, this.#patience)
    // Instructions of unapproved servers would reach the model.
    const open = links.filter((link) => this.#core.offers.isOpen(link))
    const instructions = open.map(({ serverId, hello: { instructions } }) => ({
      serverId,
      ...this.#core.deps.cleanDefinition(serverId, instructions === undefined ? {} : { instructions }),
    }))
    return answer(this.#ownHello(joinInstructions(instructions, this.#roster.failures())))
  }

  #ownHello(instructions?: string): ServerHello {
    return ownHello({
      version: this.#core.deps.version,
      requestedVersion: this.#core.client.hello.protocolVersion,
      listsServers: this.#listsServers,
      instructions,
    })
  }

  async #listTools(): Promise<JsonObject> {
    const links = await this.#serverLinks()
    const shown = await this.#catalog.listTools(links)
    const asks = this.#offersApproveTool ? [approveTool('several servers')] : []
    const lazy = lazyDefinitions(this.#catalog.lazyTools())
    const own = [...lazy, ...this.#core.deps.exploration.definitions(), ...asks]
    this.#core.deps.onListed({
      clientName: this.#core.client.name,
      sessionId: this.#core.id,
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
    if (!this.#core.deps.exploration.has(name)) return this.#callServer(name, args, request)
    return this.#core.deps.exploration.call(name, args, {
      clientName: this.#core.client.name,
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
      onDescribed: (text) =>
        this.#core.deps.onToolsDescribed({ ...this.#core.originOf(''), serverId: undefined, text }),
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
    const isOwn = tool === BLOCKED_TOOL && (await offer.whyNoTools()) !== undefined
    if (offer.blocked !== undefined || isOwn) return this.#ask(serverId, offer, request)
    const origin = { clientName: this.#core.client.name, serverId, method: request.method }
    const definition = await this.#core.deps.errors(origin, () => offer.approvedTool(tool))
    const refusal = definition ? undefined : offer.refusalOfTool(tool, isFresh)
    const { serverInfo } = offer.hello
    const confirm = confirmBy(this.#core.offers, tool)
    const target = { serverId, tool, serverInfo, arguments: args, definition, refusal, confirm, isFresh }
    const result = await runToolCall(this.#core.deps, callerOf(this.#core), target, request)
    await offer.learnLinks(result)
    return publicResult(serverId, 'tools/call', result)
  }

  get #offersApproveTool(): boolean {
    return this.#listsServers && this.#core.deps.settings().approvals.approveTool
  }

  #ask(serverId: string, offer: ApprovedOffer, request: ClientRequest): Promise<JsonObject> {
    return this.#core.deps.questions.put({ serverId, offer, client: this.#core.client, request })
  }

  async #askAbout(named: unknown, request: ClientRequest): Promise<JsonObject> {
    const ids = this.#roster.ids()
    if (typeof named === 'string' && ids.includes(named))
      return this.#ask(named, await this.#offerOf(named), request)
    if (named !== undefined)
      return failedResult(`There is no server ${JSON.stringify(named)}. Servers: ${ids.join(', ')}.`)
    const links = await this.#serverLinks()
    const which = onlyOneThatWaits(await this.#core.offers.inTime(links, this.#patience))
    return typeof which === 'string' ? failedResult(which) : this.#ask(which.serverId, which.offer, request)
  }

  async #findTool(name: string): ReturnType<typeof unlistedTool> {
    const known = this.#catalog.tool(name)
    if (known) return known
    // Called without a listing, or a fresh call from the `sluice` entry.
    await this.#catalog.listTools(await this.#linksFor(name))
    const isSlow = (id: string): boolean =>
      this.#patience.isOverdue(this.#core.links.current(id), 'tools/list')
    const offerOf = (id: string): Promise<ApprovedOffer> => this.#offerOf(id)
    const asked = { deps: this.#core.deps, roster: this.#roster, isSlow, offerOf }
    return this.#catalog.tool(name) ?? unlistedTool(name, asked)
  }

  async #linksFor(name: string): Promise<UpstreamLink[]> {
    if (this.#listsServers) return this.#serverLinks()
    const owner = ownerOf(name, this.#roster.ids())
    return owner === undefined ? [] : [await this.#core.links.open(owner, this.#core.client.hello)]
  }

  async #offerOf(serverId: string): Promise<ApprovedOffer> {
    return this.#core.offers.of(await this.#core.links.open(serverId, this.#core.client.hello))
  }

  async #setLevel(request: ClientRequest): Promise<JsonObject> {
    this.#logLevel = { level: request.params?.['level'] }
    const links = this.#core.links
      .all()
      .filter((link) => link.hello.era === 'legacy' && hasCapability(link, 'logging'))
    await Promise.allSettled(links.map((link) => link.request('logging/setLevel', this.#logLevel)))
    return {}
  }

  async #listen(request: ClientRequest): Promise<JsonObject> {
    const honoured = honouredFilter(parseFilter(request.params), this.#ownHello().capabilities)
    await this.#serverLinks()
    return this.#content.whileListening(honoured.resourceSubscriptions ?? [], () =>
      this.#core.client.subscriptions.serve(request, honoured),
    )
  }
}
