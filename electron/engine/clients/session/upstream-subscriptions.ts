import { MetaKey } from '../../protocol/era.ts'
import { metaOf } from '../../protocol/era-bridge.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { keepListening } from './keep-listening.ts'

/** Of `subscriptions/listen`. */
export interface ListenFilter {
  toolsListChanged?: boolean
  promptsListChanged?: boolean
  resourcesListChanged?: boolean
  resourceSubscriptions?: string[]
}

const everyListChange: ListenFilter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
}

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

export function withoutSubscription(params: JsonObject | undefined): JsonObject | undefined {
  const meta = metaOf(params)
  if (!(MetaKey.subscriptionId in meta)) return params
  const { [MetaKey.subscriptionId]: _id, ...rest } = meta
  const { _meta, ...bare } = params ?? {}
  return Object.keys(rest).length > 0 ? { ...bare, _meta: rest } : bare
}

/**
 * Legacy servers report subscribed resources; modern ones during a `subscriptions/listen` request, which this keeps
 * open.
 */
export class UpstreamSubscriptions {
  readonly #ended: AbortSignal
  readonly #deliver: (link: UpstreamLink, method: string, params: JsonObject | undefined) => void
  readonly #reportLate: (error: unknown) => void
  readonly #followed = new WeakSet<UpstreamLink>()
  readonly #resources = new Map<string, AbortController>()

  constructor(options: {
    ended: AbortSignal
    deliver: (link: UpstreamLink, method: string, params: JsonObject | undefined) => void
    reportLate: (error: unknown) => void
  }) {
    this.#ended = options.ended
    this.#deliver = options.deliver
    this.#reportLate = options.reportLate
  }

  /** False if already followed. */
  follow(link: UpstreamLink): boolean {
    if (this.#followed.has(link)) return false
    this.#followed.add(link)
    if (link.hello.era === 'modern') {
      this.#listen(link, everyListChange, this.#ended)
    }
    return true
  }

  /** Replaces `resources/subscribe` and `unsubscribe`, which modern servers lack. */
  setResource(link: UpstreamLink, uri: string, wanted: boolean): void {
    const key = `${link.serverId} ${uri}`
    const open = this.#resources.get(key)
    if (wanted === (open !== undefined)) return
    this.#resources.delete(key)
    if (open) return open.abort()
    const started = new AbortController()
    this.#resources.set(key, started)
    this.#listen(link, { resourceSubscriptions: [uri] }, AbortSignal.any([started.signal, this.#ended]))
  }

  /** By the server's era. */
  async whileListening<T>(link: UpstreamLink, uris: readonly string[], serve: () => Promise<T>): Promise<T> {
    const stop = new AbortController()
    if (link.hello.era === 'modern') {
      this.#listen(link, { resourceSubscriptions: [...uris] }, AbortSignal.any([stop.signal, this.#ended]))
      return serve().finally(() => stop.abort())
    }
    const each = (method: string): Promise<unknown> =>
      Promise.all(uris.map((uri) => link.request(method, { uri }))).catch(this.#reportLate)
    await each('resources/subscribe')
    try {
      return await serve()
    } finally {
      await each('resources/unsubscribe')
    }
  }

  #listen(link: UpstreamLink, wanted: ListenFilter, signal: AbortSignal): void {
    const filter = honouredFilter(wanted, link.hello.capabilities)
    if (Object.keys(filter).length === 0) return
    const onRelated = (method: string, params: JsonObject | undefined): void =>
      this.#deliver(link, method, params)
    keepListening(link, { params: { notifications: filter }, signal, onRelated }).catch(this.#reportLate)
  }
}
