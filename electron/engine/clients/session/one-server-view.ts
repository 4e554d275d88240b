import { discoverResult, initializeResult, toModernResult } from '../../protocol/era-bridge.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { PinnedKind } from '../../approvals/pinned-item.ts'
import type { Implementation, ServerHello } from '../../protocol/era.ts'
import { withKnownFields } from '../../protocol/introduction.ts'
import { stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { ClientRequest } from '../transports/client-session.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import { parseFilter } from './client-subscriptions.ts'
import { ExplorationListing } from './exploration-listing.ts'
import { answerLazily, isLazyTool, lazyDefinitions } from './lazy-tools.ts'
import { listPage } from './list-page.ts'
import { ownImplementation } from './own-hello.ts'
import { relayOptions, resultFor } from './relay.ts'
import { argumentsOf, callerOf, confirmBy, runToolCall, toolNameOf } from './run-tool-call.ts'
import { methodNotFound, ServerContent } from './server-content.ts'
import { APPROVE_TOOL, approveTool, BLOCKED_TOOL, blockedTool, offersApproveTool } from './session-offers.ts'
import type { SessionCore, View } from './session.ts'
import { honouredFilter } from './upstream-subscriptions.ts'

/** For wrapped servers: relays everything except reshaped tools and large results. */
export class OneServerView implements View {
  readonly serverId: string
  readonly methods: View['methods']
  readonly other: View['other']
  readonly #core: SessionCore
  readonly #exploration: ExplorationListing

  constructor(core: SessionCore, serverId: string) {
    const { deps, client } = core
    this.serverId = serverId
    this.#core = core
    this.#exploration = new ExplorationListing(
      deps.explorationReach,
      () => client.name,
      () => client.notify('notifications/tools/list_changed', undefined),
    )
    const content = new ServerContent({
      core,
      serverId,
      open: () => this.#open(),
      offer: () => this.#offer(),
      relay: (request) => this.#relay(request),
    })
    this.other = (request) => content.askOther(request)
    this.methods = {
      initialize: (request) =>
        this.#introduce((hello) => initializeResult(hello, stringIn(request.params, 'protocolVersion'))),
      'server/discover': () => this.#introduce(discoverResult),
      ping: (request) => this.#relayBare(request),
      'logging/setLevel': (request) => this.#relayBare(request),
      'tools/list': (request) => this.#listTools(request),
      'tools/call': (request) => this.#callTool(request),
      'prompts/list': (request) => this.#listItems(request, 'prompts', 'prompt'),
      'prompts/get': (request) => content.getPrompt(request),
      'resources/list': (request) => this.#listItems(request, 'resources', 'resource'),
      'resources/templates/list': (request) => this.#listItems(request, 'resourceTemplates', 'template'),
      'resources/read': (request) => content.read(request),
      'resources/subscribe': (request) => content.subscribe(request),
      'resources/unsubscribe': (request) => content.subscribe(request),
      'subscriptions/listen': (request) => this.#listen(request),
    }
  }

  isReachable(): boolean {
    return true
  }

  take(request: ClientRequest): ClientRequest {
    return request
  }

  met(): void {}

  finish(_request: ClientRequest, result: JsonObject): JsonObject {
    return result
  }

  failed(error: unknown): void {
    if (error instanceof SluiceError && error.data['quarantineId'] !== undefined) this.#exploration.list()
  }

  shown(_serverId: string, _method: string, params: JsonObject | undefined): JsonObject | undefined {
    return params
  }

  forget(): void {}

  lost(): void {}

  settingsChanged(change: SettingsDiff): void {
    const id = this.serverId
    if (change.restarted.includes(id) || change.removed.includes(id)) this.#core.links.retire(id)
    if ([...change.restarted, ...change.reshaped].includes(id)) {
      this.#core.client.notify('notifications/tools/list_changed', undefined)
    }
  }

  close(): void {
    this.#exploration.leave()
  }

  #open(): Promise<UpstreamLink> {
    return this.#core.links.open(this.serverId, this.#core.client.hello)
  }

  /** Synchronous after the first call. */
  #offer(): ApprovedOffer | Promise<ApprovedOffer> {
    const known = this.#core.offers.known(this.#core.links.current(this.serverId))
    return known ?? this.#open().then((link) => this.#core.offers.of(link))
  }

  async #introduce(answer: (hello: ServerHello) => JsonObject): Promise<JsonObject> {
    const link = await this.#open()
    this.#core.subscriptions.follow(link)
    return this.#clean(answer((await this.#core.offers.of(link)).hello))
  }

  #clean(definition: JsonObject): JsonObject {
    return this.#core.deps.cleanDefinition(this.serverId, definition)
  }

  async #relayBare(request: ClientRequest): Promise<JsonObject> {
    return withKnownFields(await this.#relay(request), {}, this.#serverInfo())
  }

  async #relay(request: ClientRequest): Promise<JsonObject> {
    return this.#core.links.with(this.serverId, this.#core.client.hello, async (link) => {
      // Modern servers have no ping.
      if (
        request.method === 'ping' &&
        link.hello.era === 'modern' &&
        this.#core.client.hello.era === 'legacy'
      )
        return {}
      const result = await link.request(
        request.method,
        request.params,
        relayOptions(request, {
          guard: (notification, deliver) =>
            this.#core.deps.notification(this.#core.originOf(this.serverId), notification, deliver),
        }),
      )
      return resultFor(this.#core.client.hello, link, request.method, result, this.#serverInfo())
    })
  }

  #page(
    request: ClientRequest,
    field: string,
    show: (items: JsonObject[], isLastPage: boolean) => JsonObject[] | Promise<JsonObject[]>,
  ): Promise<JsonObject> {
    const serverId = this.serverId
    const relay = (asked: ClientRequest): Promise<JsonObject> => this.#relay(asked)
    return listPage({ serverId, request, field, relay, show, serverInfo: () => this.#serverInfo() })
  }

  #serverInfo(): Implementation {
    const offer = this.#core.offers.known(this.#core.links.current(this.serverId))
    return offer?.hello.serverInfo ?? { name: this.serverId, version: '' }
  }

  async #listTools(request: ClientRequest): Promise<JsonObject> {
    const offer = await this.#offer()
    if (offer.blocked !== undefined) return this.#made({ tools: await this.#shownTools([], true, offer) })
    if (request.params?.['cursor'] === undefined) this.#core.presenter.startList(this.serverId)
    return this.#page(request, 'tools', async (tools, isLastPage) => {
      // An earlier attempt may have failed.
      await offer.retryTools()
      const original = await offer.allowed('tool', tools)
      if (original.length < tools.length) this.#core.offers.markStale(await this.#open())
      const isWhole = isLastPage && request.params?.['cursor'] === undefined
      return this.#shownTools(original, isLastPage, offer, isWhole ? tools : undefined)
    })
  }

  async #shownTools(
    original: JsonObject[],
    isLastPage: boolean,
    offer: ApprovedOffer,
    listed?: readonly JsonObject[],
  ): Promise<JsonObject[]> {
    const isLazy = this.#isLazy
    const shown = isLazy ? [] : await this.#core.presenter.all(this.serverId, original, 'next')
    const unlisted = isLazy && isLastPage && offer.blocked === undefined ? await this.#lazyTools(offer) : []
    const blocked = isLastPage && original.length === 0 ? await offer.whyNoTools(listed) : undefined
    const own = [
      ...(blocked === undefined ? [] : [blockedTool(blocked)]),
      ...lazyDefinitions(unlisted),
      ...(isLastPage && (await offersApproveTool(this.#core.deps.settings(), offer))
        ? [approveTool('one server')]
        : []),
      ...(this.#exploration.isListed && isLastPage ? this.#core.deps.exploration.definitions() : []),
    ]
    this.#core.deps.onListed({
      clientName: this.#core.client.name,
      sessionId: this.#core.id,
      serverId: this.serverId,
      own,
      shown,
      original,
    })
    return [...shown, ...own]
  }

  get #isLazy(): boolean {
    return this.#core.deps.toolPolicy(this.serverId, '').toolList.lazy
  }

  readonly #lazyTools = async (offer: ApprovedOffer): Promise<JsonObject[]> =>
    this.#core.presenter.all(this.serverId, await offer.approvedTools(), 'alone')

  #answerLazily(tool: string, request: ClientRequest, offer: ApprovedOffer): Promise<JsonObject> {
    return answerLazily({
      tool,
      request,
      tools: () => this.#lazyTools(offer),
      call: (...named) => this.#callServer(...named),
      onDescribed: (text) =>
        this.#core.deps.onToolsDescribed({ ...this.#core.originOf(this.serverId), text }),
    })
  }

  async #listItems(request: ClientRequest, field: string, kind: PinnedKind): Promise<JsonObject> {
    const offer = await this.#offer()
    if (offer.blocked !== undefined) return this.#made({ [field]: [] })
    return this.#page(request, field, async (items) =>
      this.#core.presenter.cleaned(this.serverId, await offer.allowed(kind, items)),
    )
  }

  /** In the client's era. */
  #made(result: JsonObject, method = 'tools/list'): JsonObject {
    return this.#core.client.hello.era === 'modern'
      ? toModernResult(method, result, ownImplementation(this.#core.deps.version))
      : result
  }

  async #callTool(request: ClientRequest): Promise<JsonObject> {
    const tool = toolNameOf(request.params)
    const offer = await this.#offer()
    const asksUser =
      (tool === BLOCKED_TOOL && (await offer.whyNoTools()) !== undefined) ||
      (tool === APPROVE_TOOL && (await offersApproveTool(this.#core.deps.settings(), offer, true)))
    if (asksUser) {
      const question = { serverId: this.serverId, offer, client: this.#core.client, request }
      return this.#made(await this.#core.deps.questions.put(question), 'tools/call')
    }
    if (this.#core.deps.exploration.has(tool) && (await offer.approvedTool(tool)) === undefined) {
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
      serverId: this.serverId,
      tool,
      serverInfo: offer.hello.serverInfo,
      arguments: args,
      definition,
      refusal: definition ? undefined : offer.refusalOfTool(tool, isFresh),
      confirm: confirmBy(this.#core.offers, tool),
      isFresh,
    }
    const result = await runToolCall(this.#core.deps, callerOf(this.#core), target, request)
    await offer.learnLinks(result)
    return result
  }

  async #explore(tool: string, request: ClientRequest): Promise<JsonObject> {
    const result = await this.#core.deps.exploration.call(tool, argumentsOf(request.params), {
      clientName: this.#core.client.name,
      signal: request.signal,
      callFresh: (name, args) => this.#callServer(name, args, request, true),
    })
    return this.#made(result, 'tools/call')
  }

  async #listen(request: ClientRequest): Promise<JsonObject> {
    const link = await this.#open()
    this.#core.subscriptions.follow(link)
    const honoured = honouredFilter(parseFilter(request.params), link.hello.capabilities)
    return this.#core.subscriptions.whileListening(link, honoured.resourceSubscriptions ?? [], () =>
      this.#core.client.subscriptions.serve(request, honoured),
    )
  }
}
