import type { ClientRequest } from '../transports/client-session.ts'
import { MetaKey } from '../../protocol/era.ts'
import { metaOf } from '../../protocol/era-bridge.ts'
import { isJsonObject, RpcError, RpcErrorCode, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ListenFilter } from './upstream-subscriptions.ts'

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

export class ClientSubscriptions {
  readonly #open = new Map<ClientRequest, ListenFilter>()
  readonly #ended = new AbortController()

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
