import { HIDDEN } from '../hide-secrets.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

/**
 * How a launch is written down: with the names of its secrets and without their values, as of its variables. Another value
 * is no other server. Nothing else may be left out, or what was approved and what is started could differ: so only what a
 * name says to be a secret is, and never what may be a file.
 */

const SECRET_NAME =
  /(?:key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|cookie|authorization)$|(?:^|[-_.])(?:auth|pat|dsn|pass|pw|creds)$/i
const SECRET_ENDING = /[a-z\d](?:Pass|Pw|Creds)$/
/** Narrower than what is hidden from view: a letter such as -p names a package as often as a password. */
const isSecretName = (name: string): boolean => SECRET_NAME.test(name) || SECRET_ENDING.test(name)
const FILE = /^(?:[.~]{0,2}[/\\]|[A-Za-z]:[/\\]|file:)|\.[A-Za-z]{2,5}$/
/** `${env:NAME}` and `${secret:NAME}` say where the value is kept. */
const PLACEHOLDER = /^(?:\w+ )?\$\{(?:env|secret):[^}]*\}$/
const ADDRESS = /^([a-z][\w+.-]*:\/\/)(?:([^/?#\s]*)@)?([^?]*)(\?[^#]*)?(#[^]*)?$/i

/** Works on a launch that was written down before, too; gives the same launch back where it names no secret. */
export function blankLaunch(launch: JsonObject): JsonObject {
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

/** The same for JSON text; undefined where nothing is left out, or it is no launch. */
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
