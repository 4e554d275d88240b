import { decodeHeaderValue } from '../../protocol/param-header.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

/** SEP-2243, SEP-2663. */
const NAME_FIELD: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

export interface StandardHeaders {
  readonly protocolVersion: string | undefined
  readonly method: string | undefined
  readonly name: string | undefined
}

/** Required by 2026-07-28; contradictions with the body are rejected earlier. */
export function headerProblem(
  headers: StandardHeaders,
  method: string,
  params: JsonObject | undefined,
): string | undefined {
  if (headers.protocolVersion === undefined) return 'the MCP-Protocol-Version header is missing'
  if (headers.method === undefined) return 'the Mcp-Method header is missing'
  const field = NAME_FIELD.get(method)
  const named = field === undefined ? undefined : params?.[field]
  if (typeof named !== 'string') return undefined
  if (headers.name === undefined) return `the Mcp-Name header is missing; the body says "${named}"`
  const decoded = decodeHeaderValue(headers.name.trim())
  if (decoded === undefined) return 'the Mcp-Name header is no valid Base64'
  return decoded === named ? undefined : `the Mcp-Name header says "${decoded}", the body "${named}"`
}
