import { existsSync } from 'node:fs'
import { messageOf, ownError, SluiceError } from '../../ground/errors.ts'
import { hideInArgs } from '../../ground/secrets/hide-secrets.ts'
import { RpcError } from '../../protocol/json-rpc.ts'
import { httpReason, plainHttpReason, type Place, withCause } from './http-reason.ts'
import { lastWords } from './last-words.ts'
import { httpStatusOf } from './negotiate.ts'
import { wasNeverSent } from './never-sent.ts'
import type { ProcessExit } from './process-group.ts'
import type { ServerLog } from './server-log.ts'

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
  log: Pick<ServerLog, 'lastLines' | 'firstStray'>,
  error: unknown,
): SluiceError {
  if (exit?.error) return spawnFailure(launch, exit.error)
  const what = launch.clean([launch.command, ...hideInArgs(launch.args, launch.command)].join(' '))
  const isLost = error instanceof SluiceError && error.code === 'SERVER_LOST'
  const ended = exit || isLost ? `it ${endText(exit)} before it introduced itself` : undefined
  const reason = ended ?? launch.clean(messageOf(error))
  const plain = ended ?? (error instanceof RpcError ? 'it answered with an error' : reason)
  const command = `. Command: ${what}.`
  const words = foreignWords(log.firstStray()) + lastWords(log.lastLines())
  return unavailable(launch.serverId, reason + command + words, error, plain + command)
}

const MOST_QUOTED = 120

/** A program that prints its help, or serves HTTP only. */
const foreignWords = (line: string | undefined): string =>
  line === undefined
    ? ''
    : ` Its first line on stdout isn't a message of MCP: "${line.slice(0, MOST_QUOTED)}". Check that this command starts an MCP server over stdio.`

export function processLost(
  serverId: string,
  exit: ProcessExit | undefined,
  lines: readonly string[],
): SluiceError {
  const advice =
    'It is started again on the next use; look whether the call was carried out before repeating it.'
  const ended = `Server "${serverId}" ${endText(exit)}. ${advice}`
  return new SluiceError('SERVER_LOST', `${ended}${lastWords(lines)}`, {
    data: {
      unquoted: ended,
      server: serverId,
      code: exit?.code ?? null,
      signal: exit?.signal ?? null,
      stderr: [...lines],
    },
  })
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
  ownError(
    'SERVER_LOST',
    `Server "${serverId}" at ${url} broke off its answer and could not be reached again for ${seconds} s (its "reconnectSeconds" in config.json). The call may have been carried out; look before repeating it. Later calls are sent as soon as the server is back.`,
    { server: serverId },
  )

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

/** For requests in progress. */
export const closedOnPurpose = (serverId: string): SluiceError =>
  ownError('SERVER_LOST', `The connection to server "${serverId}" was closed.`)
