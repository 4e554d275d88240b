import { RpcError, RpcErrorCode, type JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import type { RememberedList, RememberedOffer } from './offer-memory.ts'

/** Methods that list, with their field and the capability they belong to. */
const LISTS: Readonly<Record<string, { readonly field: string; readonly capability: string }>> = {
  'tools/list': { field: 'tools', capability: 'tools' },
  'prompts/list': { field: 'prompts', capability: 'prompts' },
  'resources/list': { field: 'resources', capability: 'resources' },
  'resources/templates/list': { field: 'resourceTemplates', capability: 'resources' },
}

export const listsOf = ({ capabilities }: { readonly capabilities: JsonObject }): string[] =>
  Object.entries(LISTS).flatMap(([method, { capability }]) =>
    capabilities[capability] === undefined ? [] : [method],
  )

const cursorOf = (value: JsonObject | undefined, key: string): string | undefined => {
  const cursor = value?.[key]
  return typeof cursor === 'string' ? cursor : undefined
}

/** Puts together what a link's lists say while others read them; tells it whenever all were read. */
export function watchLists(
  link: UpstreamLink,
  onWhole: (offer: RememberedOffer) => void,
): UpstreamLink['request'] {
  const wanted = listsOf(link.hello)
  const lists = new Map<string, RememberedList>()
  /** Since the last time all were. */
  const read = new Set<string>()
  const pages = new Map<string, { items: unknown[]; next: string | undefined; first: JsonObject }>()

  const settle = (method: string, list: RememberedList): void => {
    lists.set(method, list)
    read.add(method)
    if (!wanted.every((each) => read.has(each))) return
    read.clear()
    onWhole({ hello: link.hello, announced: link.announced, lists: Object.fromEntries(lists) })
  }

  const see = (method: string, params: JsonObject | undefined, result: JsonObject): void => {
    const items = result[LISTS[method]?.field ?? '']
    const [cursor, next] = [cursorOf(params, 'cursor'), cursorOf(result, 'nextCursor')]
    if (!Array.isArray(items)) return
    const before = pages.get(method)
    if (cursor !== undefined && before?.next !== cursor) return
    const first = cursor === undefined ? result : (before?.first ?? result)
    const all: unknown[] = cursor === undefined ? items : [...(before?.items ?? []), ...items]
    if (next !== undefined && next !== cursor) {
      pages.set(method, { items: all, next, first })
      return
    }
    pages.delete(method)
    const { nextCursor: _next, ...rest } = first
    const isOnly = cursor === undefined && next === undefined
    settle(method, { result: isOnly ? result : { ...rest, [LISTS[method]?.field ?? '']: all } })
  }

  return async (method, params, options) => {
    if (!wanted.includes(method)) return link.request(method, params, options)
    try {
      const result = await link.request(method, params, options)
      see(method, params, result)
      return result
    } catch (error) {
      if (error instanceof RpcError && error.code === RpcErrorCode.methodNotFound)
        settle(method, { error: { code: error.code, message: error.message } })
      throw error
    }
  }
}
