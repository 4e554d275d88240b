import type { ClientRequest } from '../transports/client-session.ts'
import { isJsonObject, RpcError, RpcErrorCode, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import type { AllServersCatalog } from './all-servers-catalog.ts'
import { parsePublicUri, publicUri } from './public-names.ts'
import { publicResult } from './public-uris.ts'
import { refused, relayOptions, type NotificationGuard } from './relay.ts'
import { askForPrompt } from './server-content.ts'
import type { ServerRoster } from './server-roster.ts'
import type { SessionCore } from './session.ts'
import type { ContentOrigin } from '../../message/origins.ts'

export interface AllServersContentOptions {
  readonly core: Pick<SessionCore, 'deps' | 'client' | 'links' | 'offers' | 'subscriptions' | 'originOf'>
  readonly roster: ServerRoster
  readonly catalog: AllServersCatalog
  /** To learn names. */
  listPrompts(): Promise<unknown>
  listResources(): Promise<unknown>
}

/** By public names and URIs. */
export class AllServersContent {
  readonly #options: AllServersContentOptions

  constructor(options: AllServersContentOptions) {
    this.#options = options
  }

  async getPrompt(request: ClientRequest): Promise<JsonObject> {
    const name = stringIn(request.params, 'name')
    await this.#knowPrompts(name)
    const target = this.#options.catalog.prompt(name)
    if (!target) throw new RpcError(RpcErrorCode.invalidParams, `Unknown prompt: ${name}`)
    const offer = await this.#offerOf(target.serverId)
    const params = { ...request.params, name: target.prompt }
    const origin = this.#origin(target.serverId, 'prompts/get', target.prompt)
    return this.#options.core.deps.read(params, origin, (params) =>
      askForPrompt(offer, target.prompt, () =>
        this.#request(target.serverId, 'prompts/get', params, request),
      ),
    )
  }

  async #knowPrompts(name: string): Promise<void> {
    if (!this.#options.catalog.prompt(name)) await this.#options.listPrompts()
  }

  async readResource(request: ClientRequest): Promise<JsonObject> {
    const { serverId, uri } = await this.#resourceOwner(request)
    const origin = this.#origin(serverId, 'resources/read', uri)
    return this.#options.core.deps.read({ ...request.params, uri }, origin, async (params) => {
      await this.#approve({ serverId, uri: stringIn(params, 'uri') })
      return this.#request(serverId, 'resources/read', params, request)
    })
  }

  #origin(serverId: string, method: string, name: string): ContentOrigin {
    return { ...this.#options.core.originOf(serverId), method, name }
  }

  async subscribe(request: ClientRequest): Promise<JsonObject> {
    const { serverId, uri } = await this.#approvedResource(request)
    const link = await this.#options.core.links.open(serverId, this.#options.core.client.hello)
    // The result is empty in both eras.
    if (link.hello.era === 'legacy')
      await this.#request(serverId, request.method, { ...request.params, uri }, request)
    else this.#options.core.subscriptions.setResource(link, uri, request.method === 'resources/subscribe')
    return {}
  }

  whileListening(uris: readonly string[], serve: () => Promise<JsonObject>): Promise<JsonObject> {
    const { links, client, subscriptions } = this.#options.core
    const owners = uris.flatMap((uri) => parsePublicUri(uri) ?? [])
    const listen = owners.reduceRight<() => Promise<JsonObject>>(
      (inner, owner) => async () => {
        const link = await links.open(owner.serverId, client.hello)
        return subscriptions.whileListening(link, [owner.uri], inner)
      },
      serve,
    )
    return listen()
  }

  async #approvedResource(request: ClientRequest): Promise<{ serverId: string; uri: string }> {
    const owner = await this.#resourceOwner(request)
    await this.#approve(owner)
    return owner
  }

  async #approve({ serverId, uri }: { serverId: string; uri: string }): Promise<void> {
    const refusal = await (await this.#offerOf(serverId)).refusalOfResource(uri)
    if (refusal !== undefined) throw refused(refusal, uri)
  }

  /** By public URI, or by a server's own URI if only one lists it. */
  async #resourceOwner(request: ClientRequest): Promise<{ serverId: string; uri: string }> {
    const uri = stringIn(request.params, 'uri')
    const owner = parsePublicUri(uri) ?? (await this.#onlyOwnerOf(uri))
    if (!owner || !this.#options.roster.ids().includes(owner.serverId)) {
      const isModern = this.#options.core.client.hello.era === 'modern'
      const code = isModern ? RpcErrorCode.invalidParams : RpcErrorCode.resourceNotFound
      throw new RpcError(code, `Resource not found: ${uri}`, { uri })
    }
    return owner
  }

  async #onlyOwnerOf(uri: string): Promise<{ serverId: string; uri: string } | undefined> {
    const { catalog, roster } = this.#options
    if (catalog.serversWith(uri).length === 0) await this.#options.listResources()
    const enabled = roster.ids()
    const owners = catalog.serversWith(uri).filter((id) => enabled.includes(id))
    const [serverId] = owners
    if (owners.length < 2) return serverId === undefined ? undefined : { serverId, uri }
    const candidates = owners.map((id) => publicUri(id, uri)).join(', ')
    throw new RpcError(
      RpcErrorCode.invalidParams,
      `Several servers have the resource ${uri}. Read the one that is meant by its whole URI: ${candidates}`,
      { uri },
    )
  }

  async complete(request: ClientRequest): Promise<JsonObject> {
    const ref = request.params?.['ref']
    if (!isJsonObject(ref))
      throw new RpcError(RpcErrorCode.invalidParams, 'completion/complete needs a "ref".')
    if (ref['type'] === 'ref/resource') {
      const owner = parsePublicUri(stringIn(ref, 'uri'))
      if (!owner)
        throw new RpcError(RpcErrorCode.invalidParams, `Unknown resource template: ${stringIn(ref, 'uri')}`)
      const params = { ...request.params, ref: { ...ref, uri: owner.uri } }
      return this.#complete(owner.serverId, params, request)
    }
    const name = stringIn(ref, 'name')
    await this.#knowPrompts(name)
    const target = this.#options.catalog.prompt(name)
    if (!target) throw new RpcError(RpcErrorCode.invalidParams, `Unknown prompt: ${name}`)
    const params = { ...request.params, ref: { ...ref, name: target.prompt } }
    return this.#complete(target.serverId, params, request)
  }

  async #complete(serverId: string, params: JsonObject, request: ClientRequest): Promise<JsonObject> {
    const method = 'completion/complete'
    return this.#options.core.deps.read(params, this.#origin(serverId, method, ''), async (params) => {
      const refusal = await (await this.#offerOf(serverId)).refusalOf(params?.['ref'])
      if (refusal !== undefined) throw refused(refusal)
      return this.#request(serverId, method, params, request)
    })
  }

  #request(
    serverId: string,
    method: string,
    params: JsonObject | undefined,
    request: ClientRequest,
  ): Promise<JsonObject> {
    const { deps, client, links, offers, originOf } = this.#options.core
    const guard: NotificationGuard = (notification, deliver) =>
      deps.notification(originOf(serverId), notification, deliver)
    return links.with(serverId, client.hello, async (link) => {
      const { blocked } = await offers.of(link)
      if (blocked !== undefined) throw refused(blocked)
      const result = await link.request(method, params, relayOptions(request, { guard }))
      return publicResult(serverId, method, result)
    })
  }

  async #offerOf(serverId: string): Promise<ApprovedOffer> {
    const { links, offers, client } = this.#options.core
    return offers.of(await links.open(serverId, client.hello))
  }
}
