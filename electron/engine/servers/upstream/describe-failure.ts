import { existsSync } from 'node:fs'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import { hideInArgs } from '../../ground/secrets/hide-secrets.ts'
import { RpcError } from '../../protocol/json-rpc.ts'
import { lastWords } from './last-words.ts'
import { httpStatusOf } from './negotiate.ts'
import { wasNeverSent } from './never-sent.ts'
import type { ProcessExit } from './process-group.ts'

export interface Launch {
  readonly serverId: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly clean: Clean
}

type Clean = (text: string) => string

export function spawnFailure(launch: Launch, error: unknown): SluiceError {
  return unavailable(
    launch.serverId,
    `"${launch.command}" could not be started: ${spawnReason(launch, error)}`,
    error,
  )
}

function spawnReason({ command, cwd, env, clean }: Launch, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Node reports a missing working directory as a missing command.
  if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd))
    return `its folder ${cwd} does not exist. Correct "cwd" where the server is configured.`
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''
  if (code === 'ENOENT' && !/[\\/]/.test(command))
    return `no such command on PATH. Install it, or write its full path where the server is configured. PATH is: ${path}`
  if (code === 'ENOENT') return 'there is no such file. Correct "command" where the server is configured.'
  if (code === 'EACCES') return 'the file may not be executed. Make it executable, or correct "command".'
  return clean(messageOf(error))
}

/** The process ended before its introduction, or rejected `initialize`. */
export function startFailure(
  launch: Launch,
  exit: ProcessExit | undefined,
  lines: readonly string[],
  error: unknown,
): SluiceError {
  if (exit?.error) return spawnFailure(launch, exit.error)
  const what = launch.clean([launch.command, ...hideInArgs(launch.args, launch.command)].join(' '))
  const isLost = error instanceof SluiceError && error.code === 'SERVER_LOST'
  const ended = exit || isLost ? `it ${endText(exit)} before it introduced itself` : undefined
  const reason = ended ?? launch.clean(messageOf(error))
  const plain = ended ?? (error instanceof RpcError ? 'it answered with an error' : reason)
  const unquoted = `${plain}. Command: ${what}.`
  return unavailable(launch.serverId, `${reason}. Command: ${what}.${lastWords(lines)}`, error, unquoted)
}

export function processLost(
  serverId: string,
  exit: ProcessExit | undefined,
  lines: readonly string[],
): SluiceError {
  const advice =
    'It is started again on the next use; look whether the call was carried out before repeating it.'
  return new SluiceError(
    'SERVER_LOST',
    `Server "${serverId}" ${endText(exit)}. ${advice}${lastWords(lines)}`,
    {
      data: { server: serverId, code: exit?.code ?? null, signal: exit?.signal ?? null, stderr: [...lines] },
    },
  )
}

/** For messages. */
export interface Place {
  readonly serverId: string
  /** Without credentials. */
  readonly url: string
  readonly clean: Clean
}

export const httpStartFailure = (place: Place, error: unknown): SluiceError =>
  unavailable(
    place.serverId,
    `${place.url} ${httpReason(error, place)}`,
    error,
    `${place.url} ${plainHttpReason(error, place)}`,
  )

/** States whether the request may have been executed. */
export function httpFailure(place: Place, error: unknown): SluiceError {
  const { serverId, url, clean } = place
  if (httpStatusOf(error) !== undefined || wasNeverSent(error)) return httpStartFailure(place, error)
  const reason = `The connection to server "${serverId}" at ${url} broke off: ${withCause(error, clean)}.`
  const advice = 'The call may have been carried out; look before repeating it.'
  return new SluiceError('SERVER_LOST', `${reason} ${advice}`, { data: { server: serverId }, cause: error })
}

/** The answer was interrupted and the server did not return. */
export const resumeFailure = ({ serverId, url }: Place, seconds: number): SluiceError =>
  new SluiceError(
    'SERVER_LOST',
    `Server "${serverId}" at ${url} broke off its answer and could not be reached again for ${seconds} s (its "reconnectSeconds" in config.json). The call may have been carried out; look before repeating it. Later calls are sent as soon as the server is back.`,
    { data: { server: serverId } },
  )

const withCause = (error: unknown, clean: Clean): string =>
  clean(
    error instanceof Error && error.cause !== undefined
      ? `${messageOf(error)}: ${messageOf(error.cause)}`
      : messageOf(error),
  )

function httpReason(error: unknown, { url, clean }: Place): string {
  const status = httpStatusOf(error)
  if (status === 401 || status === 403)
    return `answered ${status}: it wants credentials. Put them under "headers" in config.json, or sign in on the Servers screen, or with "sluice sign-in".`
  if (status !== undefined) return `answered HTTP ${status}: ${clean(messageOf(error)).slice(0, 500)}`
  if (hasCode(error, UNKNOWN_AUTHORITY))
    return `could not be reached: its certificate is signed by an authority that is not trusted here. If it is your company's or your own, name its certificate in network.caFile of config.json, or in NODE_EXTRA_CA_CERTS.`
  const isTls = url.startsWith('https:')
  if (isTls && hasCode(error, NO_TLS))
    return 'could not be reached: the server there does not speak TLS. If it serves plain HTTP, write http:// in its "url" in config.json; otherwise correct the port.'
  if (!isTls && hasCode(error, NO_HTTP))
    return `could not be reached: what listens there closed the connection, or its answer isn't HTTP. If it serves TLS, write https:// in its "url" in config.json; otherwise look whether the server runs as it should.`
  return `could not be reached: ${withCause(error, clean)}. Nothing was carried out. Check the url, and whether the server runs.`
}

const UNKNOWN_AUTHORITY =
  /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/

/** OpenSSL's codes for bytes that aren't TLS, and the HTTP client's for bytes that aren't HTTP. */
const NO_TLS = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/
const NO_HTTP = /^(UND_ERR_SOCKET|HTTPParserError)$/

function hasCode(error: unknown, code: RegExp): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (code.test((cause as NodeJS.ErrnoException).code ?? cause.name)) return true
  return false
}

function plainHttpReason(error: unknown, place: Place): string {
  const status = httpStatusOf(error)
  return status === undefined || status === 401 || status === 403
    ? httpReason(error, place)
    : `answered HTTP ${status}.`
}

/** `unquoted`: without the server's words. */
function unavailable(serverId: string, reason: string, cause: unknown, unquoted = reason): SluiceError {
  const say = (why: string): string => `Server "${serverId}" is not available: ${why}`
  const data = { server: serverId, unquoted: say(unquoted) }
  return new SluiceError('SERVER_UNAVAILABLE', say(reason), { data, cause })
}

function endText(exit: ProcessExit | undefined): string {
  if (!exit) return 'closed its input'
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`
}
