import type { ServerSettings } from '../../../shared/settings.ts'
import { HIDDEN } from '../ground/secrets/secret-arguments.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { canonicalDefinition } from '../protocol/definition-hash.ts'

/**
 * Until schema 4 of pins.db, for migrations and former records. It blanked arguments from a secret's name to the end.
 * Current format: `launch.ts`.
 */

const SECRET_NAME =
  /(?:key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|cookie|authorization)$|(?:^|[-_.])(?:auth|pat|dsn|pass|pw|creds)$/i
const SECRET_ENDING = /[a-z\d](?:Pass|Pw|Creds)$/
/** -p names a package as often as a password: narrower than for display. */
const isSecretName = (name: string): boolean => SECRET_NAME.test(name) || SECRET_ENDING.test(name)
const FILE = /^(?:[.~]{0,2}[/\\]|[A-Za-z]:[/\\]|file:)|\.[A-Za-z]{2,5}$/
const PLACEHOLDER = /^(?:\w+ )?\$\{(?:env|secret):[^}]*\}$/
const ADDRESS = /^([a-z][\w+.-]*:\/\/)(?:([^/?#\s]*)@)?([^?]*)(\?[^#]*)?(#[^]*)?$/i

function blankLaunch(launch: JsonObject): JsonObject {
  const { args, url } = launch
  return {
    ...launch,
    ...(Array.isArray(args) ? { args: args.map((arg, index) => blankArg(arg, args[index - 1])) } : {}),
    ...(typeof url === 'string' ? { url: blankAddress(url) } : {}),
  }
}

function blankArg(arg: unknown, before: unknown): unknown {
  if (typeof arg !== 'string') return arg
  const flag = typeof before === 'string' ? /^--?([\w.-]+)$/.exec(before)?.[1] : undefined
  const isValue = flag !== undefined && isSecretName(flag) && !arg.startsWith('-')
  return isValue ? blankValue(arg) : blankText(arg)
}

/** `--api-key=…`, `API_KEY=…`, `--env=API_KEY=…`, `Authorization: …`, an address. */
function blankText(text: string): string {
  const [, start = '', name = '', value] = /^(-{0,2}([\w.-]+)(?:=|:\s+))([^]*)$/.exec(text) ?? []
  if (value === undefined) return blankAddress(text)
  return start + (isSecretName(name) ? blankValue(value) : blankText(value))
}

const blankValue = (value: string): string =>
  value === '' || FILE.test(value) || PLACEHOLDER.test(value) ? value : HIDDEN

function blankAddress(text: string): string {
  const [whole, scheme = '', user, place = '', query = '', rest = ''] = ADDRESS.exec(text) ?? []
  if (whole === undefined) return text
  const [name = '', ...password] = user?.split(':') ?? []
  const shownUser = password.length > 0 ? `${name}:${blankPart(password.join(':'))}@` : `${blankPart(name)}@`
  const shownQuery = query.replaceAll(
    /([?&])([^=&]*)=([^&]*)/g,
    (part, mark: string, key: string, value: string) =>
      isSecretName(key) ? `${mark}${key}=${blankPart(value)}` : part,
  )
  return scheme + (user === undefined ? '' : shownUser) + place + shownQuery + rest
}

const blankPart = (value: string): string => (value === '' || PLACEHOLDER.test(value) ? value : HIDDEN)

export function blankLaunchText(text: string): JsonObject | undefined {
  const launch = parsed(text)
  if (!launch) return undefined
  const blank = blankLaunch(launch)
  return JSON.stringify(blank) === JSON.stringify(launch) ? undefined : blank
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Identity until schema 4. */
export function formerIdentityOf(settings: ServerSettings): string {
  const { command, args = [], cwd, url = '', env = {}, headers = {} } = settings
  const launch =
    command === undefined
      ? { url, headers: Object.keys(headers).sort() }
      : { command, args, env: Object.keys(env).sort(), ...(cwd === undefined ? {} : { cwd }) }
  return canonicalDefinition(blankLaunch(launch)).hash
}
