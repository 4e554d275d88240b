import type { ServerSettings } from '../../../../shared/settings.ts'
import { isJsonObject } from '../../protocol/json-rpc.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

export type Launch = Pick<ServerSettings, 'type' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers'>

export interface ReadEntry {
  readonly launch: Launch
  readonly fields: readonly string[]
  readonly disabled: boolean
  readonly unset: readonly string[]
  /** For header values (Codex). */
  readonly headerVariables: readonly string[]
}
export type EntryReading = ReadEntry | { readonly unsupported: string }

const COMMAND_KEYS = ['command', 'cmd']
const ENV_KEYS = ['env', 'envs', 'environment']
const URL_KEYS = ['url', 'serverUrl', 'httpUrl', 'uri']
const HEADER_KEYS = ['headers', 'http_headers']
const TYPE_KEYS = ['type', 'transport', 'transportType']
const OTHER_KEYS = ['args', 'cwd', 'bearer_token_env_var', 'env_http_headers', 'requestOptions']
export const LAUNCH_KEYS: readonly string[] = [
  ...COMMAND_KEYS,
  ...ENV_KEYS,
  ...URL_KEYS,
  ...HEADER_KEYS,
  ...OTHER_KEYS,
]

export function readEntry(entry: unknown, { urlIsSse = false } = {}): EntryReading {
  if (!isJsonObject(entry)) return { unsupported: "it isn't an entry with fields" }
  const hindrance = hindranceOf(entry)
  if (hindrance !== undefined) return { unsupported: hindrance }
  const fields = LAUNCH_KEYS.filter((key) => Object.hasOwn(entry, key))
  const command = COMMAND_KEYS.find((key) => isThere(entry[key]))
  const url = URL_KEYS.find((key) => isThere(entry[key]))
  if (command !== undefined && url !== undefined) {
    return { unsupported: `it has both "${command}" and "${url}": it is not clear which one counts` }
  }
  const disabled = entry['disabled'] === true || entry['enabled'] === false || entry['isActive'] === false
  if (command !== undefined) {
    const read = readLocal(entry, entry[command])
    return 'unsupported' in read ? read : { ...read, fields, disabled, headerVariables: [] }
  }
  if (url !== undefined) {
    const read = readRemote(entry, url, urlIsSse)
    return 'unsupported' in read ? read : { ...read, fields, disabled, unset: [] }
  }
  return { unsupported: 'it has neither a command nor an address' }
}

/** Some apps leave empty strings in unused fields. */
const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function hindranceOf(entry: JsonObject): string | undefined {
  const { type, source } = entry
  if (typeof type === 'string' && /^(builtin|platform|frontend|inline_python)$/.test(type)) {
    return `it is a part of the app itself (type "${type}")`
  }
  if (
    source === 'extension' ||
    ('settings' in entry && !isThere(entry['command']) && !isThere(entry['url']))
  ) {
    return 'an extension of the app starts it'
  }
  if ('uses' in entry) return 'the app fetches its settings from elsewhere ("uses")'
  if ('tcp' in entry) return 'it is reached through a WebSocket, which Sluice does not speak'
  if ('<<' in entry) return 'it takes fields over from elsewhere in the file ("<<")'
  for (const key of ['oauth', 'auth', 'authProviderType', 'headersHelper']) {
    if (isThere(entry[key]) && entry[key] !== false) {
      return `the app signs in to it ("${key}"), and Sluice can't do that in its place`
    }
  }
  return undefined
}

type LocalReading = Pick<ReadEntry, 'launch' | 'unset'> | { readonly unsupported: string }

function readLocal(entry: JsonObject, command: unknown): LocalReading {
  const nested = isJsonObject(command) ? command : {}
  const list = Array.isArray(command) ? command : [isJsonObject(command) ? command['path'] : command]
  const args = entry['args'] ?? nested['args'] ?? []
  const words = Array.isArray(args) ? [...list, ...(args as unknown[])].map(asText) : []
  const [program, ...rest] = words
  if (!Array.isArray(args) || words.includes(undefined) || !program) {
    return { unsupported: 'its command or its arguments are not texts' }
  }
  const env = ENV_KEYS.map((key) => entry[key]).find(isThere) ?? nested['env'] ?? {}
  const variables = readTexts(env)
  if (!variables) return { unsupported: 'its environment variables are not texts' }
  const { cwd } = entry
  if (isThere(cwd) && typeof cwd !== 'string') return { unsupported: `its "cwd" isn't a string` }
  return {
    launch: {
      command: program,
      ...(rest.length > 0 ? { args: rest.map(String) } : {}),
      ...(Object.keys(variables.texts).length > 0 ? { env: variables.texts } : {}),
      ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
    },
    unset: variables.nulls,
  }
}

type RemoteReading = Pick<ReadEntry, 'launch' | 'headerVariables'> | { readonly unsupported: string }

function readRemote(entry: JsonObject, urlKey: string, urlIsSse: boolean): RemoteReading {
  const url = entry[urlKey]
  if (typeof url !== 'string' || !/^(https?:|[^:]*[${])/i.test(url)) {
    return { unsupported: `its "${urlKey}" must start with http:// or https://` }
  }
  const options = entry['requestOptions']
  const nested = isJsonObject(options) ? options['headers'] : undefined
  const given = HEADER_KEYS.map((key) => entry[key]).find(isThere) ?? nested ?? {}
  const plain = readTexts(given)
  const named = readTexts(entry['env_http_headers'] ?? {})
  if (!plain || !named) return { unsupported: 'its headers are not texts' }
  const headers: Record<string, string> = { ...plain.texts }
  for (const [name, variable] of Object.entries(named.texts)) headers[name] = `\${env:${variable}}`
  const bearer = entry['bearer_token_env_var']
  if (typeof bearer === 'string' && bearer !== '') headers['Authorization'] = `Bearer \${env:${bearer}}`
  const headerVariables = [
    ...Object.values(named.texts),
    ...(typeof bearer === 'string' && bearer ? [bearer] : []),
  ]
  const type = TYPE_KEYS.map((key) => entry[key]).find((value) => typeof value === 'string')
  const isSse = type === 'sse' || (type === undefined && urlIsSse && urlKey === 'url')
  return {
    launch: {
      ...(isSse ? { type: 'sse' as const } : {}),
      url,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    },
    headerVariables,
  }
}

function readTexts(value: unknown): { texts: Record<string, string>; nulls: string[] } | undefined {
  if (!isJsonObject(value)) return undefined
  const pairs = Object.entries(value).map(([key, item]) => ({ key, item, text: asText(item) }))
  if (pairs.some(({ item, text }) => text === undefined && item !== null)) return undefined
  return {
    texts: Object.fromEntries(pairs.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text]]))),
    nulls: pairs.flatMap(({ key, item }) => (item === null ? [key] : [])),
  }
}

/** People omit quotes: `"PORT": 8080`. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
