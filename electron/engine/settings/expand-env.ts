import type { ServerSettings, Settings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import { areSecrets, isSecretName } from '../ground/secrets/redact.ts'
import { didYouMean } from '../ground/nearest.ts'
import type { Remark } from './adapt-foreign.ts'
import type { SettingsPath } from './settings-problem.ts'
import {
  decoded,
  holdsCredentials,
  URL_CREDENTIALS,
  withoutUrlCredentials,
} from '../ground/secrets/url-credentials.ts'

type Environment = Readonly<Record<string, string | undefined>>

const PLACEHOLDER = /\$\{(env|secret):([^}]*)\}/g

/** In all launch fields. Throws SETTINGS_INVALID for an unset variable, which stops only this server. */
export function expandServer(
  serverId: string,
  server: ServerSettings,
  env: Environment,
  secrets: Environment = {},
): ServerSettings {
  const expand = (text: string, where: string): string =>
    text.replaceAll(PLACEHOLDER, (_, kind: string, name: string) => {
      const value = kind === 'env' ? env[name] : ownValue(secrets, name)
      if (value !== undefined) return value
      if (kind === 'secret') throw unknownSecret(serverId, where, name)
      throw new SluiceError(
        'SETTINGS_INVALID',
        `Server "${serverId}": ${where} names the environment variable ${name}, which is not set.` +
          `${didYouMean(name, Object.keys(env))} Set it for the program that starts Sluice, or write the value itself.`,
        { data: { serverId, variable: name } },
      )
    })
  const expandMap = (map: Readonly<Record<string, string>>, field: string) =>
    Object.fromEntries(Object.entries(map).map(([key, text]) => [key, expand(text, `${field}.${key}`)]))

  const expanded: ServerSettings = { ...server }
  for (const field of ['command', 'cwd', 'url'] as const) {
    const text = server[field]
    if (text !== undefined) expanded[field] = expand(text, field)
  }
  if (server.args) expanded.args = server.args.map((text, index) => expand(text, `args[${index}]`))
  if (server.env) expanded.env = expandMap(server.env, 'env')
  if (server.headers) expanded.headers = expandMap(server.headers, 'headers')
  const { clientSecret } = server.signIn ?? {}
  if (clientSecret !== undefined)
    expanded.signIn = { ...server.signIn, clientSecret: expand(clientSecret, 'signIn.clientSecret') }
  if (expanded.url !== undefined && !URL.canParse(expanded.url)) {
    throw new SluiceError(
      'SETTINGS_INVALID',
      `Server "${serverId}": its url, with the environment variables put in, isn't a valid address. It should look like https://example.com/mcp.`,
      { data: { serverId } },
    )
  }
  return withoutUrlCredentials(serverId, expanded)
}

/** "constructor" must not be found. */
const ownValue = (values: Environment, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const unknownSecret = (serverId: string, where: string, name: string): SluiceError =>
  new SluiceError(
    'SETTINGS_INVALID',
    `Server "${serverId}": ${where} names the secret ${name}, which is not kept. "sluice secrets set ${name}" keeps it.`,
    { data: { serverId, secret: name } },
  )

const isSecret = (name: string): boolean => isSecretName(name) || /connection/i.test(name)
/** Machine-made: long, mixed letters and digits, not a path or words. */
const SECRET_VALUE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+=-]{20,}$/

/** Environment variables and headers that look like secrets. Others ("production", a home folder) stay readable. */
export function secretsOf(server: ServerSettings): string[] {
  const named = [...Object.entries(server.env ?? {}), ...Object.entries(server.headers ?? {})]
  return named
    .filter(([name, value]) => isSecret(name) || SECRET_VALUE.test(value))
    .flatMap(([, value]) => withToken(value))
    .concat(
      secretsInArgs(server.args ?? [], server.command),
      secretsInUrl(server.url),
      server.signIn?.clientSecret ?? [],
    )
    .filter((value) => !value.includes('${env:') && !value.includes('${secret:'))
}

/** System variables and common words: hiding them would make every line unreadable. */
const PLAIN_NAME =
  /^(?:HOME|USERPROFILE|HOMEPATH|PWD|PATH|USER|USERNAME|LOGNAME|LANG|SHELL|TE?MP|TMPDIR|XDG_\w+)$/i
const PLAIN_VALUE = /^(?:enabled?|disabled?|production|development|default|localhost|[\d.]{1,9})$/i

/** Of `${env:NAME}` and `${secret:NAME}`: secrets, whatever their names. Omits unset and short ones ("true"). */
export function placeholderValuesOf(
  server: ServerSettings,
  env: Environment,
  secrets: Environment = {},
): string[] {
  const texts = [
    server.args ?? [],
    Object.values(server.env ?? {}),
    Object.values(server.headers ?? {}),
  ].flat()
  const values = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].flatMap(([, kind, name = '']) => {
      if (kind === 'secret') return ownValue(secrets, name) ?? []
      return PLAIN_NAME.test(name) ? [] : (ownValue(env, name) ?? [])
    }),
  )
  return [...new Set(values)].filter((value) => value.trim().length >= 6 && !PLAIN_VALUE.test(value.trim()))
}

/** Password and secret query values. */
function secretsInUrl(text: string | undefined): string[] {
  const url = URL.parse(text ?? '')
  if (!url) return []
  const named = [...url.searchParams].filter(([name, value]) => isSecret(name) || SECRET_VALUE.test(value))
  const values = [url.password, decoded(url.password), ...named.map(([, value]) => value)]
  return [...new Set(values)].filter((value) => value !== '')
}

/** `--api-key VALUE`, and what `secretsIn` finds. */
function secretsInArgs(args: readonly string[], command: string | undefined): string[] {
  const whole = areSecrets(args, command)
  return args.flatMap((arg, index) => {
    const isConnection = /^--?\S*connection/i.test(args[index - 1] ?? '') && !arg.startsWith('-')
    return whole[index] || isConnection ? [arg] : secretsIn(arg)
  })
}

/** `--api-key=VALUE`, `API_KEY=VALUE` after `-e`, `--env=API_KEY=VALUE`, `Authorization: Bearer VALUE`. */
function secretsIn(arg: string): string[] {
  const [, name = '', value] = /^-{0,2}([\w.-]+)(?:=|:\s+)([^]+)$/.exec(arg) ?? []
  if (value === undefined) return []
  return isSecret(name) ? withToken(value) : secretsIn(value)
}

/** `Bearer VALUE`, and the value alone. */
const withToken = (value: string): string[] => [value, ...(/^\w+ (\S+)$/.exec(value)?.slice(1) ?? [])]

/** User names or passwords in addresses, which belong in a header with a stored secret. */
export const urlCredentials = (settings: Settings): Remark[] =>
  Object.entries(settings.servers).flatMap(([serverId, { url }]) =>
    holdsCredentials(url)
      ? [
          {
            path: ['servers', serverId, 'url'],
            message: `This address holds a user name or password. ${URL_CREDENTIALS}`,
            serverId,
          },
        ]
      : [],
  )

/** `${input:token}`, `${workspaceFolder}` etc. work in other clients; here they are plain text. */
export function foreignPlaceholders(settings: Settings): Remark[] {
  const remarks: Remark[] = []
  const look = (text: string | undefined, path: SettingsPath, serverId: string) => {
    for (const [whole] of text?.matchAll(/\$\{[A-Za-z][^}]*\}/g) ?? []) {
      if (whole.startsWith('${env:') || whole.startsWith('${secret:')) continue
      const message = `Only \${env:NAME} and \${secret:NAME} are replaced; ${whole} is passed on unchanged.`
      remarks.push({ path, message, serverId })
    }
  }
  for (const [id, server] of Object.entries(settings.servers)) {
    const base = ['servers', id]
    look(server.command, [...base, 'command'], id)
    look(server.cwd, [...base, 'cwd'], id)
    look(server.url, [...base, 'url'], id)
    for (const [index, text] of (server.args ?? []).entries()) look(text, [...base, 'args', index], id)
    for (const field of ['env', 'headers'] as const) {
      for (const [key, text] of Object.entries(server[field] ?? {})) look(text, [...base, field, key], id)
    }
  }
  return remarks
}
