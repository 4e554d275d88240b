import type { ClientRequest, ClientSession, OpenSessionOptions } from '../downstream/client-session.ts'
import { SluiceError } from '../errors.ts'
import type { ServerHello } from '../protocol/era.ts'
import { discoverResult, initializeResult, toLegacyResult, toModernResult } from '../protocol/era-bridge.ts'
import { isJsonObject, RpcError, RpcErrorCode, stringIn, type JsonObject } from '../protocol/json-rpc.ts'
import type { UpstreamLink } from '../upstream/link.ts'
import { AllServersCatalog } from './all-servers-catalog.ts'
import { parseFilter } from './client-subscriptions.ts'
import { joinInstructions, ownHello, ownImplementation } from './own-hello.ts'
import { parsePublicUri, publicUri } from './public-names.ts'
import { publicResult } from './public-uris.ts'
import { paramsFor, relayOptions, toRpcError } from './relay.ts'
import { argumentsOf, runToolCall } from './run-tool-call.ts'
import { hasCapability, ServerRoster } from './server-roster.ts'
import type { ContentOrigin, SessionDependencies, SettingsChange } from './session-dependencies.ts'
import { SessionClient } from './session-client.ts'
import { SessionLinks } from './session-links.ts'
import { honouredFilter, UpstreamSubscriptions, withoutSubscription } from './upstream-subscriptions.ts'

/**
 * One client in front of every enabled server (`/mcp`), or of Sluice's own tools alone (the `sluice` entry that
 * wrapping adds, where `listsServers` is false: its servers start only when a fresh call names one).
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
  readonly #catalog: AllServersCatalog
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
      serverSettings: (id) => deps.settings().servers[id],
      onNotification: (serverId, method, params) => this.#fromServer(serverId, method, params),
      onRequest: (_serverId, method, params, signal) => options.link.ask(method, params, { signal }),
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
      patienceMs: 10_000,
      now: () => performance.now(),
      onLate: () => this.#listsChanged(),
    })
    this.#catalog = new AllServersCatalog(deps)
    this.#stopWatching = deps.onSettingsChanged((change) => this.#settingsChanged(change))
  }

  async handleRequest(request: ClientRequest): Promise<JsonObject> {
    this.#client.learnFrom(request)
    if (this.#client.introduced) this.#leaveReach ??= this.#deps.explorationReach.enter(this.#client.name)
    try {
      const result = await this.#dispatch(request)
      if (ownEra.has(request.method)) return result
      return this.#client.hello.era === 'modern'
        ? toModernResult(request.method, result, ownImplementation(this.#deps.version))
        : toLegacyResult(result)
    } catch (error) {
      throw toRpcError(error)
    }
  }

  handleNotification(method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/initialized' || method === 'notifications/cancelled') return
    for (const link of this.#links.all()) {
      if (link.hello.era === 'legacy') link.notify(method, params).catch(this.#client.reportLate)
    }
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
        return this.#getPrompt(request)
      case 'resources/read':
        return this.#readResource(request)
      case 'subscriptions/listen':
        return this.#listen(request)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(request)
      case 'completion/complete':
        return this.#complete(request)
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

  /** Once per link: hears of its changes, and tells it the log level that the client set. */
  #follow(link: UpstreamLink): void {
    if (!this.#subscriptions.follow(link) || link.hello.era === 'modern') return
    if (this.#logLevel && hasCapability(link, 'logging')) {
      link.request('logging/setLevel', this.#logLevel).catch(this.#client.reportLate)
    }
  }

  async #introduce(answer: (hello: ServerHello) => JsonObject): Promise<JsonObject> {
    const links = await this.#serverLinks()
    return answer(this.#ownHello(joinInstructions(links, this.#roster.failures())))
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
    const own = this.#deps.exploration.definitions
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
    const name = stringIn(request.params, 'name')
    const args = argumentsOf(request.params)
    if (!this.#deps.exploration.has(name)) return this.#callServer(name, args, request)
    return this.#deps.exploration.call(name, args, {
      clientName: this.#client.name,
      signal: request.signal,
      callFresh: (tool, toolArgs) => this.#callServer(tool, toolArgs, request),
    })
  }

  async #callServer(name: string, args: JsonObject | undefined, request: ClientRequest): Promise<JsonObject> {
    const target = await this.#findTool(name)
    const caller = {
      clientName: this.#client.name,
      sessionId: this.id,
      hello: this.#client.hello,
      links: this.#links,
    }
    const result = await runToolCall(this.#deps, caller, { ...target, arguments: args }, request)
    return publicResult(target.serverId, 'tools/call', result)
  }

  async #findTool(name: string): Promise<{ serverId: string; tool: string; definition: JsonObject }> {
    const known = this.#catalog.tool(name)
    if (known) return known
    // Called without a listing before it, or by a fresh call from the `sluice` entry.
    await this.#catalog.listTools(await this.#linksFor(name))
    const found = this.#catalog.tool(name)
    if (!found)
      throw new SluiceError('TOOL_UNKNOWN', `Unknown tool: ${name}. "tools/list" names every tool there is.`)
    return found
  }

  async #linksFor(name: string): Promise<UpstreamLink[]> {
    if (this.#listsServers) return this.#serverLinks()
    const owner = this.#roster.ids().find((id) => name.startsWith(`${id}__`))
    if (owner === undefined) {
      throw new SluiceError('TOOL_UNKNOWN', `Unknown tool: ${name}. Name it as {server}__{tool}.`)
    }
    return [await this.#links.open(owner, this.#client.hello)]
  }

  #request(
    serverId: string,
    method: string,
    params: JsonObject,
    request: ClientRequest,
  ): Promise<JsonObject> {
    return this.#links.with(serverId, this.#client.hello, async (link) =>
      publicResult(
        serverId,
        method,
        await link.request(method, paramsFor(link, params), relayOptions(request)),
      ),
    )
  }

  async #getPrompt(request: ClientRequest): Promise<JsonObject> {
    const name = stringIn(request.params, 'name')
    await this.#knowPrompts(name)
    const target = this.#catalog.prompt(name)
    if (!target) throw new RpcError(RpcErrorCode.invalidParams, `Unknown prompt: ${name}`)
    const params = { ...request.params, name: target.prompt }
    const result = await this.#request(target.serverId, 'prompts/get', params, request)
    return this.#treated(result, target.serverId, 'prompts/get', target.prompt)
  }

  async #knowPrompts(name: string): Promise<void> {
    if (!this.#catalog.prompt(name)) await this.#list('prompts/list', 'prompts', 'prompts')
  }

  async #readResource(request: ClientRequest): Promise<JsonObject> {
    const { serverId, uri } = this.#resourceOwner(request)
    const result = await this.#request(serverId, 'resources/read', { ...request.params, uri }, request)
    return this.#treated(result, serverId, 'resources/read', uri)
  }

  #treated(
    result: JsonObject,
    serverId: string,
    method: ContentOrigin['method'],
    name: string,
  ): Promise<JsonObject> {
    return this.#deps.treatContent(result, { clientName: this.#client.name, serverId, method, name })
  }

  async #subscribe(request: ClientRequest): Promise<JsonObject> {
    const { serverId, uri } = this.#resourceOwner(request)
    const link = await this.#links.open(serverId, this.#client.hello)
    if (link.hello.era === 'legacy') {
      return this.#request(serverId, request.method, { ...request.params, uri }, request)
    }
    this.#subscriptions.setResource(link, uri, request.method === 'resources/subscribe')
    return {}
  }

  #resourceOwner(request: ClientRequest): { serverId: string; uri: string } {
    const uri = stringIn(request.params, 'uri')
    const owner = parsePublicUri(uri) ?? this.#catalog.resource(uri)
    if (!owner || !this.#roster.ids().includes(owner.serverId)) {
      throw new RpcError(RpcErrorCode.resourceNotFound, `Resource not found: ${uri}`, { uri })
    }
    return owner
  }

  async #complete(request: ClientRequest): Promise<JsonObject> {
    const ref = request.params?.['ref']
    if (!isJsonObject(ref))
      throw new RpcError(RpcErrorCode.invalidParams, 'completion/complete needs a "ref".')
    if (ref['type'] === 'ref/resource') {
      const owner = parsePublicUri(stringIn(ref, 'uri'))
      if (!owner)
        throw new RpcError(RpcErrorCode.invalidParams, `Unknown resource template: ${stringIn(ref, 'uri')}`)
      const params = { ...request.params, ref: { ...ref, uri: owner.uri } }
      return this.#request(owner.serverId, 'completion/complete', params, request)
    }
    const name = stringIn(ref, 'name')
    await this.#knowPrompts(name)
    const target = this.#catalog.prompt(name)
    if (!target) throw new RpcError(RpcErrorCode.invalidParams, `Unknown prompt: ${name}`)
    const params = { ...request.params, ref: { ...ref, name: target.prompt } }
    return this.#request(target.serverId, 'completion/complete', params, request)
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
    const owners = (honoured.resourceSubscriptions ?? []).flatMap((uri) => parsePublicUri(uri) ?? [])
    const serve = owners.reduceRight<() => Promise<JsonObject>>(
      (inner, owner) => async () => {
        const link = await this.#links.open(owner.serverId, this.#client.hello)
        return this.#subscriptions.whileListening(link, [owner.uri], inner)
      },
      () => this.#client.subscriptions.serve(request, honoured),
    )
    return serve()
  }

  #fromServer(serverId: string, method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/subscriptions/acknowledged') return
    const bare = withoutSubscription(params)
    if (method === 'notifications/tools/list_changed') this.#catalog.forget(serverId)
    if (method === 'notifications/resources/updated' && typeof bare?.['uri'] === 'string') {
      this.#client.notify(method, { ...bare, uri: publicUri(serverId, bare['uri']) })
    } else if (method === 'notifications/message') {
      const logger = typeof bare?.['logger'] === 'string' ? `${serverId}/${bare['logger']}` : serverId
      this.#client.notify(method, { ...bare, logger })
    } else this.#client.notify(method, bare)
  }

  #listsChanged(): void {
    for (const list of ['tools', 'prompts', 'resources']) {
      this.#client.notify(`notifications/${list}/list_changed`, undefined)
    }
  }

  #settingsChanged(change: SettingsChange): void {
    for (const id of [...change.restarted, ...change.removed]) this.#links.retire(id)
    for (const id of [...change.restarted, ...change.removed, ...change.reshaped]) this.#catalog.forget(id)
    const touched = [...change.added, ...change.removed, ...change.restarted, ...change.reshaped]
    if (touched.length > 0 && this.#listsServers) this.#listsChanged()
  }
}
