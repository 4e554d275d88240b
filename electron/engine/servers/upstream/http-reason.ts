import { messageOf } from '../../ground/errors.ts'
import { OwnRpcError } from '../../protocol/json-rpc.ts'
import { httpStatusOf } from './negotiate.ts'

/** For messages. */
export interface Place {
  readonly serverId: string
  /** Without credentials. */
  readonly url: string
  readonly clean: (text: string) => string
}

const NO_PAGE =
  'Check the path of its "url" in config.json: many end in /mcp or /sse, and a web page or a page to sign in on is none'

/** Why it could not be used, after its address. */
export function httpReason(error: unknown, place: Place): string {
  const status = httpStatusOf(error)
  const plain = plainHttpReason(error, place)
  if (status === undefined)
    return plain === unreached() ? unreached(`: ${withCause(error, place.clean)}`) : plain
  if (status === 401 || status === 403) return plain
  const message = place.clean(messageOf(error)).replace(/^Error POSTing to endpoint(?: \(HTTP \d+\))?: /, '')
  const target = /^Redirect (?:to|from https to plain http not followed; try) (\S+)/.exec(message)?.[1]
  if (target !== undefined)
    return `sends on to ${target.slice(0, 500)} (HTTP ${status}), which Sluice doesn't follow, because credentials would go along. If that is the server, write this address as its "url" in config.json.`
  const answered = `answered HTTP ${status}${message === '' ? '' : `: ${message.slice(0, 500)}`}`
  return status === 404 ? `${answered.replace(/[.\s]*$/, '')}. ${NO_PAGE}.` : answered
}

/** Without the server's words. */
export function plainHttpReason(error: unknown, { url, clean }: Place): string {
  const status = httpStatusOf(error)
  if (status === 401 || status === 403)
    return `answered ${status}: it wants credentials. Put them under "headers" in config.json, or sign in on the Servers screen, or with "sluice sign-in".`
  if (status !== undefined) return `answered HTTP ${status}.`
  const type = unexpectedType(error)
  if (type !== undefined) return `answered with ${type} in place of a message of MCP. ${NO_PAGE}.`
  if (error instanceof SyntaxError)
    return `answered with something that isn't JSON, though it says that it is. ${NO_PAGE}.`
  if (hasCode(error, UNKNOWN_AUTHORITY))
    return `could not be reached: its certificate is signed by an authority that is not trusted here. If it is your company's or your own, name its certificate in network.caFile of config.json, or in NODE_EXTRA_CA_CERTS.`
  const isTls = url.startsWith('https:')
  if (isTls && hasCode(error, NO_TLS))
    return 'could not be reached: the server there does not speak TLS. If it serves plain HTTP, write http:// in its "url" in config.json; otherwise correct the port.'
  if (!isTls && hasCode(error, NO_HTTP))
    return `could not be reached: what listens there closed the connection, or its answer isn't HTTP. If it serves TLS, write https:// in its "url" in config.json; otherwise look whether the server runs as it should.`
  if (hasCode(error, NO_NAME))
    return `could not be reached: no machine is known by this name (${withCause(error, clean)}). Nothing was carried out. Check the url, and this machine's network.`
  const isQuote = !(error instanceof OwnRpcError) && !hasCode(error, NETWORK)
  return unreached(isQuote ? '' : `: ${withCause(error, clean)}`)
}

const unreached = (why = ''): string =>
  `could not be reached${why}. Nothing was carried out. Check the url, and whether the server runs.`

const UNKNOWN_AUTHORITY =
  /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/

/** OpenSSL's codes for bytes that aren't TLS, and the HTTP client's for bytes that aren't HTTP. */
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/
const NO_NAME = /^(ENOTFOUND|EAI_AGAIN)$/
/** Of the system, the HTTP client and TLS: their messages quote nothing of a server. */
const NETWORK = /^(E[A-Z]{3,}|(?:UND_ERR|ERR_SSL|ERR_TLS|CERT)_\w+)$/
const NO_HTTP = /^(UND_ERR_SOCKET|HTTPParserError)$/

function hasCode(error: unknown, code: RegExp): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (code.test((cause as NodeJS.ErrnoException).code ?? cause.name)) return true
  return false
}

/** Of an answer, in words that can't be a server's own. */
function unexpectedType(error: unknown): string | undefined {
  const type =
    error instanceof Error ? /^Unexpected content type: ([^;]*)/.exec(error.message)?.[1] : undefined
  if (type === undefined) return undefined
  if (type === 'null') return 'nothing, or without a content type,'
  return /^[a-z]+\/[\w.+-]{1,40}$/.test(type.trim()) ? type.trim() : 'another kind of content'
}

export const withCause = (error: unknown, clean: Place['clean']): string =>
  clean(
    error instanceof Error && error.cause !== undefined
      ? `${messageOf(error)}: ${messageOf(error.cause)}`
      : messageOf(error),
  )
