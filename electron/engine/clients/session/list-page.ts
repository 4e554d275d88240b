import type { ClientRequest } from '../transports/client-session.ts'
import type { Implementation } from '../../protocol/era.ts'
import { withKnownFields } from '../../protocol/introduction.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { openCursor, sealCursor } from './page-cursors.ts'
import { itemsOfPage } from './list-all.ts'

export interface ListPageOptions {
  readonly serverId: string
  readonly request: ClientRequest
  readonly field: string
  readonly relay: (request: ClientRequest) => Promise<JsonObject>
  readonly show: (items: JsonObject[], isLastPage: boolean) => JsonObject[] | Promise<JsonObject[]>
  readonly serverInfo: () => Implementation
}

export async function listPage(options: ListPageOptions): Promise<JsonObject> {
  const { serverId, request, field, relay, show, serverInfo } = options
  const { cursor } = request.params ?? {}
  const params =
    cursor === undefined ? request.params : { ...request.params, cursor: openCursor(serverId, cursor) }
  const page = await relay({ ...request, params })
  const { nextCursor } = page
  const isLastPage = typeof nextCursor !== 'string'
  const items = await show(itemsOfPage(serverId, request.method, field, page), isLastPage)
  const shownCursor = isLastPage ? undefined : sealCursor(serverId, nextCursor)
  return withKnownFields(page, { [field]: items, nextCursor: shownCursor }, serverInfo())
}
