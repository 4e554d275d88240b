import type { MessageOrigin } from '../../message/origins.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { SettingsDiff } from '../../settings/diff-servers.ts'
import type { ClientRequest, ClientSession, OpenSessionOptions } from '../transports/client-session.ts'
import { refused, toRpcError } from './relay.ts'
import { SessionClient } from './session-client.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import { SessionLinks, type SessionLinksOptions } from './session-links.ts'
import { SessionOffers } from './session-offers.ts'
import { ToolPresenter } from './tool-presenter.ts'
import { UpstreamSubscriptions, withoutSubscription } from './upstream-subscriptions.ts'

/** Independent of the view. */
export interface SessionCore {
  readonly id: string
  readonly deps: SessionDependencies
  readonly client: SessionClient
  readonly links: SessionLinks
  readonly offers: SessionOffers
  readonly presenter: ToolPresenter
  readonly subscriptions: UpstreamSubscriptions
  readonly originOf: (serverId: string) => MessageOrigin
  readonly listsChanged: () => void
}

/** Pass from blocked servers, too, without their text. */
const LIST_CHANGES: ReadonlySet<string> = new Set(
  ['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`),
)

type Handler = (request: ClientRequest) => Promise<JsonObject>

/** One server under its own names, all under public names, or Sluice's tools alone. */
export interface View {
  /** Origin of errors; empty for several. */
  readonly serverId: string
  readonly methods: Readonly<Record<string, Handler>>
  readonly other: Handler
  /** In the client's profile. */
  isReachable(serverId: string): boolean
  /** Removes what doesn't apply here. */
  take(request: ClientRequest): ClientRequest
  met(): void
  finish(request: ClientRequest, result: JsonObject): JsonObject
  failed(error: unknown): void
  /** Under the client's names. */
  shown(serverId: string, method: string, params: JsonObject | undefined): JsonObject | undefined
  forget(serverId: string): void
  lost(serverId: string): void
  settingsChanged(change: SettingsDiff): void
  close(): void
}

export class Session implements ClientSession {
  readonly id: string
  readonly #core: SessionCore
  readonly #view: View
  readonly #stopWatching: () => void

  constructor(deps: SessionDependencies, options: OpenSessionOptions, view: (core: SessionCore) => View) {
    const id = deps.newId('s')
    const logger = deps.logger.child({ session: id })
    const client = new SessionClient(options, logger)
    this.id = id
    this.#core = {
      id,
      deps,
      client,
      links: new SessionLinks({
        openLink: deps.openLink,
        client: options.client,
        logger,
        serverSettings: (serverId) => {
          if (!this.#view.isReachable(serverId))
            return `Server "${serverId}" isn't in the profile of this client.`
          const { servers } = deps.settings()
          return Object.hasOwn(servers, serverId) ? servers[serverId] : deps.settingsFault(serverId)
        },
        onNotification: (...notification) => this.#fromServer(...notification),
        onRequest: (...question) => this.#askClient(...question),
        onLost: (serverId, error) => {
          logger.warn('server lost', { server: serverId, error: error.message })
          this.#view.lost(serverId)
        },
      }),
      offers: new SessionOffers(deps.approvals, () => performance.now()),
      presenter: new ToolPresenter(deps, () => client.hello.clientInfo.name),
      subscriptions: new UpstreamSubscriptions({
        ended: client.ended,
        reportLate: client.reportLate,
        deliver: (link, method, params) => this.#fromServer(link.serverId, method, params),
      }),
      originOf: (serverId) => ({ clientName: client.name, sessionId: id, serverId }),
      listsChanged: () => {
        for (const change of LIST_CHANGES) client.notify(change, undefined)
      },
    }
    this.#view = view(this.#core)
    const stops = [
      deps.onSettingsChanged((change) => this.#view.settingsChanged(change)),
      deps.approvals.onChange(() => this.#core.listsChanged()),
    ]
    this.#stopWatching = () => stops.forEach((stop) => stop())
  }

  async handleRequest(received: ClientRequest): Promise<JsonObject> {
    const { client, deps } = this.#core
    const view = this.#view
    const request = client.take(view.take(received))
    if (client.introduced) view.met()
    try {
      const origin = { clientName: client.name, serverId: view.serverId, method: request.method }
      const handle = Object.hasOwn(view.methods, request.method) ? view.methods[request.method] : view.other
      const result = await deps.errors(origin, () => (handle ?? view.other)(request))
      return view.finish(request, client.fit(result))
    } catch (error) {
      view.failed(error)
      throw toRpcError(error)
    }
  }

  handleNotification(method: string, params: JsonObject | undefined): void {
    const { client, links } = this.#core
    // Links initialised the servers; a request's signal carries its cancellation.
    if (method === 'notifications/initialized') client.markReady()
    if (method === 'notifications/initialized' || method === 'notifications/cancelled') return
    for (const link of links.all())
      if (link.hello.era === 'legacy') link.notify(method, params).catch(client.reportLate)
  }

  async close(): Promise<void> {
    this.#stopWatching()
    this.#view.close()
    this.#core.client.close()
    await this.#core.links.close()
  }

  #fromServer(serverId: string, method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/subscriptions/acknowledged') return
    const { links, offers, client, deps } = this.#core
    const isListChange = LIST_CHANGES.has(method)
    if (isListChange) offers.markStale(links.current(serverId))
    if (method === 'notifications/tools/list_changed') this.#view.forget(serverId)
    // Nothing of a blocked server may reach the model, not even logs …
    const isOpen = (): boolean => offers.isOpen(links.current(serverId))
    // … or later, when it is approved.
    if (!isListChange && offers.known(links.current(serverId))?.blocked !== undefined) return
    const bare = isListChange && !isOpen() ? undefined : withoutSubscription(params)
    const notify = (shown?: JsonObject): void =>
      client.notify(method, this.#view.shown(serverId, method, shown), () => isListChange || isOpen())
    if (bare) deps.notification(this.#core.originOf(serverId), bare, notify)
    else notify()
  }

  readonly #askClient: SessionLinksOptions['onRequest'] = async (
    serverId,
    method,
    params,
    signal,
    notify,
  ) => {
    const { links, offers, client, deps, originOf } = this.#core
    const isOpen = offers.isOpen(links.current(serverId))
    // Roots don't reach the model, and some servers need them before listing.
    if (method !== 'roots/list' && !isOpen)
      throw refused(`Server "${serverId}" is not approved, so it can't ask the client for ${method}.`)
    return deps.question(originOf(serverId), method, isOpen ? params : undefined, (shown) =>
      client.ask(method, shown, signal, notify),
    )
  }
}
