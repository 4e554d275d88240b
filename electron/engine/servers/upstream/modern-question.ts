import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

const capabilities: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** The capability that a client needs to be asked this; undefined for what no client of 2026-07-28 is asked. */
export const capabilityFor = (method: string): string | undefined => capabilities[method]

/** A legacy server's question in the words of 2026-07-28: no progress, and no id for a page to open. */
export function toModernQuestion(method: string, params: JsonObject | undefined): JsonObject | undefined {
  if (!params) return undefined
  const { _meta, ...rest } = params
  if (method === 'elicitation/create') delete rest['elicitationId']
  if (!isJsonObject(_meta)) return rest
  const { progressToken: _token, ...meta } = _meta
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest
}

/** The pages that a legacy server wants its user to open before it carries out a call, as questions of 2026-07-28. */
export function pagesToOpen(error: unknown): JsonObject[] | undefined {
  if (!(error instanceof RpcError) || error.code !== RpcErrorCode.urlElicitationRequired) return undefined
  const { elicitations } = isJsonObject(error.data) ? error.data : {}
  if (!Array.isArray(elicitations)) return undefined
  const pages = elicitations.filter(isJsonObject)
  return pages.length > 0
    ? pages.map((page) => toModernQuestion('elicitation/create', page) ?? page)
    : undefined
}

/** Whether the client said that it can show its user a page. */
export const canOpenPages = ({ elicitation }: JsonObject): boolean =>
  isJsonObject(elicitation) && elicitation['url'] !== undefined

/** What 2026-07-28 answers a client that can't be asked to open pages. */
export const needsPages = (cause: unknown): RpcError =>
  new RpcError(
    RpcErrorCode.missingClientCapability,
    cause instanceof Error ? cause.message : 'A page has to be opened first.',
    { requiredCapabilities: { elicitation: { url: {} } } },
  )
