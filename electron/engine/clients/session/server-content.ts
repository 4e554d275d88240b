import type { ClientRequest } from '../transports/client-session.ts'
import { RpcError, RpcErrorCode, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import { refused } from './relay.ts'
import { hasCapability } from './list-all.ts'
import type { SessionCore } from './session.ts'
import type { ContentOrigin } from '../../message/origins.ts'

export interface ServerContentOptions {
  readonly core: Pick<SessionCore, 'deps' | 'originOf' | 'subscriptions'>
  readonly serverId: string
  readonly open: () => Promise<UpstreamLink>
  readonly offer: () => ApprovedOffer | Promise<ApprovedOffer>
  readonly relay: (request: ClientRequest) => Promise<JsonObject>
}

/** Includes unknown methods. */
export class ServerContent {
  readonly #options: ServerContentOptions

  constructor(options: ServerContentOptions) {
    this.#options = options
  }

  getPrompt(request: ClientRequest): Promise<JsonObject> {
    return this.#treated(request, stringIn(request.params, 'name'), (params, offer) =>
      askForPrompt(offer, stringIn(params, 'name'), () => this.#options.relay({ ...request, params })),
    )
  }

  read(request: ClientRequest): Promise<JsonObject> {
    return this.#treated(request, stringIn(request.params, 'uri'), async (params, offer) => {
      await this.#approve(offer, stringIn(params, 'uri'))
      return this.#options.relay({ ...request, params })
    })
  }

  async subscribe(request: ClientRequest): Promise<JsonObject> {
    const { core, relay } = this.#options
    const link = await this.#options.open()
    const uri = stringIn(request.params, 'uri')
    await this.#approve(await this.#options.offer(), uri)
    if (link.hello.era === 'legacy') await relay(request)
    else if (!hasCapability(link, 'resources')) throw methodNotFound()
    else core.subscriptions.setResource(link, uri, request.method === 'resources/subscribe')
    return {}
  }

  async askOther(request: ClientRequest): Promise<JsonObject> {
    const { blocked } = await this.#options.offer()
    if (blocked !== undefined) throw refused(blocked)
    const isCompletion = request.method === 'completion/complete'
    return this.#treated(request, '', async (params, offer) => {
      const refusal = isCompletion ? await offer.refusalOf(params?.['ref']) : undefined
      if (refusal !== undefined) throw refused(refusal)
      return this.#options.relay({ ...request, params })
    })
  }

  #treated(
    request: ClientRequest,
    name: string,
    ask: (params: JsonObject | undefined, offer: ApprovedOffer) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { core, serverId } = this.#options
    const origin: ContentOrigin = { ...core.originOf(serverId), method: request.method, name }
    return core.deps.read(request.params, origin, async (params) => ask(params, await this.#options.offer()))
  }

  async #approve(offer: ApprovedOffer, uri: string): Promise<void> {
    const refusal = await offer.refusalOfResource(uri)
    if (refusal !== undefined) throw refused(refusal, uri)
  }
}

/** For the server's own error; any other answer is unapproved and blocked. */
export async function askForPrompt(
  offer: ApprovedOffer,
  name: string,
  ask: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const state = await offer.prompt(name)
  if (typeof state === 'object') throw refused(state.refusal)
  const result = await ask()
  if (state === 'approved') return result
  throw new RpcError(
    RpcErrorCode.invalidParams,
    `Unknown prompt: ${name}. The server lists no prompt of that name, so it could not be approved.`,
  )
}

export const methodNotFound = (): RpcError => new RpcError(RpcErrorCode.methodNotFound, 'Method not found')
