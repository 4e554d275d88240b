import { MetaKey } from './era.ts'
import { isJsonObject, type JsonObject, type RequestId } from './json-rpc.ts'

/** 2026-07-28: messages of a `subscriptions/listen` carry that request's id. */
export function subscriptionOf(params: JsonObject | undefined): RequestId | undefined {
  const meta = params?.['_meta']
  const id = isJsonObject(meta) ? meta[MetaKey.subscriptionId] : undefined
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}
