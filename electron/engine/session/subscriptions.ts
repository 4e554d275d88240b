import type { ClientRequest } from '../downstream/client-session.ts'
import { MetaKey } from '../protocol/era.ts'
import { metaOf } from '../protocol/era-bridge.ts'
import { isJsonObject, RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import type { UpstreamLink } from '../upstream/link.ts'

/** Which change notifications a modern client asked for (`subscriptions/listen`). */
export interface ListenFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  resourceSubscriptions?: string[]
}

export const everyListChange: ListenFilter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
}

const filterField: Readonly<Record<string, keyof ListenFilter>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
}

const accepts = (filter: ListenFilter, method: string, params: JsonObject | undefined): boolean => {
  const field = filterField[method]
  if (field) return filter[field] === true
  return (
    method === 'notifications/resources/updated' &&
    (filter.resourceSubscriptions?.includes(String(params?.['uri'])) ?? false)
  )
}

/** The part of a filter that servers with these capabilities can honour. */
export function honouredFilter(filter: ListenFilter, capabilities: JsonObject): ListenFilter {
  const can = (name: string, ability: string): boolean => {
    const capability = capabilities[name]
    return isJsonObject(capability) && capability[ability] === true
  }
  const uris = filter.resourceSubscriptions ?? []
  return {
    ...(filter.toolsListChanged && can('tools', 'listChanged') ? { toolsListChanged: true } : {}),
    ...(filter.promptsListChanged && can('prompts', 'listChanged') ? { promptsListChanged: true } : {}),
    ...(filter.resourcesListChanged && can('resources', 'listChanged') ? { resourcesListChanged: true } : {}),
    ...(uris.length > 0 && can('resources', 'subscribe') ? { resourceSubscriptions: uris } : {}),
  }
}

export function parseFilter(params: JsonObject | undefined): ListenFilter {
  const filter = params?.['notifications']
  if (!isJsonObject(filter)) {
    throw new RpcError(
      RpcErrorCode.invalidParams,
      "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter",
    )
  }
  const uris = filter['resourceSubscriptions']
  return {
    toolsListChanged: filter['toolsListChanged'] === true,
    promptsListChanged: filter['promptsListChanged'] === true,
    resourcesListChanged: filter['resourcesListChanged'] === true,
    ...(Array.isArray(uris) ? { resourceSubscriptions: uris.map(String) } : {}),
  }
}

const stamped = (params: JsonObject | undefined, id: ClientRequest['id']): JsonObject => ({
  ...params,
  _meta: { ...metaOf(params), [MetaKey.subscriptionId]: id },
})

/** A modern server's stamp taken off, before another one is put on or a legacy client sees the notification. */
export function withoutSubscription(params: JsonObject | undefined): JsonObject | undefined {
  const meta = metaOf(params)
  if (!(MetaKey.subscriptionId in meta)) return params
  const { [MetaKey.subscriptionId]: _id, ...rest } = meta
  const { _meta, ...bare } = params ?? {}
  return Object.keys(rest).length > 0 ? { ...bare, _meta: rest } : bare
}

/** The open `subscriptions/listen` requests of one modern client. */
export class ClientSubscriptions {
  readonly #open = new Map<ClientRequest, ListenFilter>()
  readonly #ended = new AbortController()

  /** Serves one listen request: acknowledges, then stays open until the client or the session ends it. */
  async serve(request: ClientRequest, honoured: ListenFilter): Promise<JsonObject> {
    request.notify(
      'notifications/subscriptions/acknowledged',
      stamped({ notifications: honoured }, request.id),
    )
    if (Object.keys(honoured).length > 0) {
      this.#open.set(request, honoured)
      try {
        await whenAborted(AbortSignal.any([request.signal, this.#ended.signal]))
      } finally {
        this.#open.delete(request)
      }
    }
    return { resultType: 'complete', _meta: { [MetaKey.subscriptionId]: request.id } }
  }

  deliver(method: string, params: JsonObject | undefined): void {
    for (const [request, filter] of this.#open) {
      if (accepts(filter, method, params)) request.notify(method, stamped(params, request.id))
    }
  }

  close(): void {
    this.#ended.abort()
  }
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Makes a server tell of the changes in `filter`, in the way of its era, until `signal` aborts. Its notifications
 * reach the session as all others do.
 */
export async function listenUpstream(
  link: UpstreamLink,
  filter: ListenFilter,
  signal: AbortSignal,
  deliver: (method: string, params: JsonObject | undefined) => void,
): Promise<void> {
  if (link.hello.era === 'modern') {
    await link.request('subscriptions/listen', { notifications: filter }, { signal, onRelated: deliver })
    return
  }
  const uris = filter.resourceSubscriptions ?? []
  await Promise.all(uris.map((uri) => link.request('resources/subscribe', { uri }, { signal })))
  if (uris.length === 0) return
  await whenAborted(signal)
  await Promise.all(uris.map((uri) => link.request('resources/unsubscribe', { uri })))
}
