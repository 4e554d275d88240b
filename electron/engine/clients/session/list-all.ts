import { SluiceError } from '../../ground/errors.ts'
import { isJsonObject, type JsonObject, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'

/** Some servers page forever. */
const MOST_PAGES = 1000

export const isEndless = (error: unknown): error is SluiceError =>
  error instanceof SluiceError && error.code === 'LIMIT_REACHED'

/** Stops at a repeated cursor; throws LIMIT_REACHED for an endless list. */
export async function listAll(link: UpstreamLink, method: string, field: string): Promise<JsonObject[]> {
  const items: JsonObject[] = []
  const seen = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const page = await link.request(method, cursor === undefined ? {} : { cursor })
    items.push(...itemsOfPage(link.serverId, method, field, page))
    cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined
    if (cursor === undefined || seen.has(cursor)) return items
    seen.add(cursor)
    if (seen.size >= MOST_PAGES) {
      const message = `Server "${link.serverId}" answers ${method} with more than ${MOST_PAGES} pages, so it was not read. Ask its author to fix that.`
      throw new SluiceError('LIMIT_REACHED', message)
    }
  }
}

/** Throws RpcError without a list, because nothing could be checked. */
export function itemsOfPage(serverId: string, method: string, field: string, page: JsonObject): JsonObject[] {
  const items = page[field]
  if (Array.isArray(items)) return items.filter(isJsonObject)
  throw new RpcError(
    RpcErrorCode.internal,
    `Server "${serverId}" answered ${method} without a list: "${field}" is ${kindOf(items)}. Its author has to fix that.`,
  )
}

const kindOf = (value: unknown): string =>
  value === undefined ? 'missing' : value === null ? 'null' : `of the type ${typeof value}`

export const hasCapability = (link: UpstreamLink, name: string): boolean =>
  link.hello.capabilities[name] !== undefined
