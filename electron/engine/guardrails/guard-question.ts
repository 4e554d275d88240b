import type { GuardPolicy } from '../../../shared/guard-policy.ts'
import { SluiceError } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { isJsonObject, RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import { asksForSecret, wantsConversationOrSecrets } from './asked-secrets.ts'
import type { Finding, FindingKind } from './detector.ts'
import { judge, type ScanVerdict } from './judge.ts'
import type { PlacedText } from './texts-in.ts'

export const SAMPLING = 'sampling/createMessage'
/** Sampling instructs a model by design, so only near-certain attacks count, */
const SAMPLING_THRESHOLD = 0.8
/** but it may not extract these. */
const ABOUT_SECRETS: readonly FindingKind[] = [
  'prompt-leak',
  'exfiltration',
  'credential-path',
  'concealment',
]
const ELICITATION = 'elicitation/create'
/** A client may share its own context, but not other servers'. */
const ALL_SERVERS = 'allServers'

/**
 * A form asking for a password, key or card gets a warning naming the server; sampling gets no context of other
 * servers. Not refused, because honest servers may need a key. Throws CALL_REFUSED for an address that isn't a web
 * page.
 */
export function safeQuestion(
  params: JsonObject,
  { method, serverId, logger }: { method: string; serverId: string; logger: Logger },
  { results }: Pick<GuardPolicy, 'results'>,
): JsonObject {
  if (results === 'off') return params
  if (method === SAMPLING && params['includeContext'] === ALL_SERVERS) {
    logger.warn('a server asked for the context of all servers and gets its own', { server: serverId })
    return { ...params, includeContext: 'thisServer' }
  }
  if (method !== ELICITATION) return params
  const page = params['mode'] === 'url' || params['url'] !== undefined ? pageOf(params['url']) : undefined
  if (page && !page.isAllowed) {
    logger.warn("a server asks to open an address that isn't a web page", { server: serverId })
    throw new SluiceError(
      'CALL_REFUSED',
      `Sluice did not pass on the question of "${serverId}": it wants an address opened that is not https (or http on this computer). Send an https address.`,
    )
  }
  const warnings: string[] = []
  if (asksForSecret(params)) warnings.push(warningOf(serverId))
  if (page?.hidesHost)
    warnings.push(
      `Sluice warns: the address that "${serverId}" wants opened leads to ${page.host}. The part before the @ is a user name, not the address.`,
    )
  const { message } = params
  const warning = warnings.join('\n\n')
  // A request translated between eras passes twice.
  if (warning === '' || (typeof message === 'string' && message.startsWith(warning))) return params
  logger.warn('a server asks the user for a secret, or hides where an address leads', { server: serverId })
  return { ...params, message: `${warning}\n\n${typeof message === 'string' ? message : ''}` }
}

/** MCP 2025-11-25: pages to open before a call. */
export function safePages(
  error: unknown,
  { serverId, logger }: { readonly serverId: string; readonly logger: Logger },
  policy: Pick<GuardPolicy, 'results'>,
): unknown {
  if (!(error instanceof RpcError) || !isJsonObject(error.data)) return error
  const { elicitations } = error.data
  if (error.code !== RpcErrorCode.urlElicitationRequired || !Array.isArray(elicitations)) return error
  const safe = elicitations.map((page: unknown) =>
    isJsonObject(page) ? safeQuestion(page, { method: ELICITATION, serverId, logger }, policy) : page,
  )
  if (safe.every((page, index) => page === elicitations[index])) return error
  return error.saying({ ...error.fields, data: { ...error.data, elicitations: safe } })
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Where a browser would go. Invalid addresses aren't opened. */
function pageOf(url: unknown): { isAllowed: boolean; hidesHost: boolean; host: string } {
  const page = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (!page) return { isAllowed: false, hidesHost: false, host: '' }
  const { protocol, hostname, host, username, password } = page
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return { isAllowed, hidesHost: username !== '' || password !== '', host }
}

const warningOf = (serverId: string): string =>
  `Sluice warns: the server "${serverId}" asks here for a password, a key or another secret. It gets what you type. Go on only if you expected this question and trust that server with it.`

export function judgeSampling(
  { findings }: ScanVerdict,
  texts: readonly PlacedText[],
  threshold: number,
): ScanVerdict {
  const whole = judge(findings, Math.max(threshold, SAMPLING_THRESHOLD))
  if (whole.verdict !== 'benign') return whole
  const asked = wantsConversationOrSecrets(texts) ? [WANTS_SECRETS] : []
  const secret = judge([...asked, ...findings.filter(({ kind }) => ABOUT_SECRETS.includes(kind))], threshold)
  return secret.verdict === 'attack' ? secret : whole
}

const WANTS_SECRETS: Finding = {
  detector: 'rules',
  kind: 'exfiltration',
  score: 0.9,
  start: 0,
  end: 0,
  reason: 'asks the model for the whole conversation or for secrets',
}

/** In an unfinished result (MCP 2026-07-28). */
export function safeInputRequests(
  result: JsonObject,
  origin: { serverId: string; logger: Logger },
  policy: Pick<GuardPolicy, 'results'>,
): JsonObject {
  const { inputRequests } = result
  if (policy.results === 'off' || !isJsonObject(inputRequests)) return result
  let isChanged = false
  const requests = Object.entries(inputRequests).map(([id, request]): [string, unknown] => {
    if (!isJsonObject(request) || !isJsonObject(request['params'])) return [id, request]
    const params = safeQuestion(request['params'], { ...origin, method: String(request['method']) }, policy)
    if (params === request['params']) return [id, request]
    isChanged = true
    return [id, { ...request, params }]
  })
  return isChanged ? { ...result, inputRequests: Object.fromEntries(requests) } : result
}
