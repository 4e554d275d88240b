import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

const capabilities: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

export const capabilityFor = (method: string): string | undefined => capabilities[method]

/** Without progress and page id. */
export function toModernQuestion(method: string, params: JsonObject | undefined): JsonObject | undefined {
  if (!params) return undefined
  const { _meta, ...rest } = params
  if (method === 'elicitation/create') delete rest['elicitationId']
  if (!isJsonObject(_meta)) return rest
  const { progressToken: _token, ...meta } = _meta
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest
}

/** Pages to open before a call, as 2026-07-28 input requests. */
export function pagesToOpen(error: unknown): JsonObject[] | undefined {
  if (!(error instanceof RpcError) || error.code !== RpcErrorCode.urlElicitationRequired) return undefined
  const { elicitations } = isJsonObject(error.data) ? error.data : {}
  if (!Array.isArray(elicitations)) return undefined
  const pages = elicitations.filter(isJsonObject)
  return pages.length > 0
    ? pages.map((page) => toModernQuestion('elicitation/create', page) ?? page)
    : undefined
}

export const canOpenPages = ({ elicitation }: JsonObject): boolean =>
  isJsonObject(elicitation) && elicitation['url'] !== undefined

/** 2026-07-28's answer to clients that can't open pages. */
export const needsPages = (cause: unknown): RpcError =>
  new RpcError(
    RpcErrorCode.missingClientCapability,
    cause instanceof Error ? cause.message : 'A page has to be opened first.',
    { requiredCapabilities: { elicitation: { url: {} } } },
  )
