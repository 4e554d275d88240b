import { SluiceError } from '../../ground/errors.ts'
import { clientHelloOf, isModernRequest } from '../../protocol/era-bridge.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'

export interface LinkPerCapabilitiesOptions {
  /** With the client's first capabilities. */
  readonly first: UpstreamLink
  /** Its loss ends only itself. */
  readonly open: (capabilities: JsonObject, onLost: () => void) => Promise<UpstreamLink>
}

const MOST_OTHERS = 8

/**
 * A modern client states capabilities per request, a legacy server learns them once. Other capabilities use another
 * connection, so that the server asks exactly what the client supports.
 */
export function linkPerCapabilities({ first, open }: LinkPerCapabilitiesOptions): UpstreamLink {
  const others = new Map<string, Promise<UpstreamLink>>()
  const firstKey = keyOf(first.announced)
  const state = { isClosed: false }

  const linkFor = (params: JsonObject | undefined): UpstreamLink | Promise<UpstreamLink> => {
    if (!isModernRequest(params)) return first
    const { capabilities } = clientHelloOf(params)
    const key = keyOf(capabilities)
    if (key === firstKey) return first
    const known = others.get(key)
    if (known) return known
    if (state.isClosed || others.size >= MOST_OTHERS) {
      const many = `The client has named ${others.size + 1} sets of capabilities to server "${first.serverId}". Reconnect, or use one set.`
      return Promise.reject(
        new SluiceError('SERVER_UNAVAILABLE', state.isClosed ? 'The connection was closed.' : many),
      )
    }
    const forget = (): void => void others.delete(key)
    const opening = open(capabilities, forget)
    others.set(key, opening)
    opening.catch(forget)
    return opening
  }

  const opened = async (): Promise<UpstreamLink[]> => {
    const settled = await Promise.allSettled(others.values())
    return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  }

  return {
    ...first,
    request: async (method, params, options) => (await linkFor(params)).request(method, params, options),
    notify: async (method, params) => {
      await Promise.all([first, ...(await opened())].map((link) => link.notify(method, params)))
    },
    close: async () => {
      state.isClosed = true
      const ends = [first.close(), opened().then((links) => Promise.all(links.map((link) => link.close())))]
      await Promise.all(ends)
    },
  }
}

/** Independent of key order. */
const keyOf = (capabilities: JsonObject): string =>
  JSON.stringify(capabilities, (_key, value: unknown) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
