import { SluiceError } from '../ground/errors.ts'
import { plainKeys } from '../ground/secrets/plain-keys.ts'
import { containerVariables } from '../ground/secrets/secret-arguments.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { ClientSpec } from './client-spec.ts'
import { OTHER_CLIENT } from './clients.ts'
import type { ConfigFormat } from './formats/config-format.ts'
import { ConfigSyntaxError } from './formats/config-format.ts'
import { fromPairs } from './formats/edit-value.ts'
import { jsonFormat } from './formats/json-format.ts'
import { placeOf } from './formats/lines.ts'
import { tomlFormat } from './formats/toml-format.ts'
import { yamlFormat } from './formats/yaml-format.ts'
import { parsePastedCommand } from './parse-pasted-command.ts'
import { parseInstallLink } from './parse-install-link.ts'
import { entryOfRegistry } from './registry-entry.ts'
import type { Importable, ImportContext } from './import-servers.ts'
import { readImportable } from './import-servers.ts'

/** Of servers in apps' files. */
const CONTAINERS = ['mcpServers', 'servers', 'context_servers', 'mcp_servers', 'mcp', 'extensions']

/**
 * JSON, TOML or YAML; a file, a part or an entry, with or without outer braces or Markdown fence. Or a command line,
 * an address, an app's install link, or a `server.json` of the registry.
 */
export function parsePastedServers(text: string, context: Omit<ImportContext, 'client'>): Importable {
  const plain = unfence(text)
  const servers = parsePastedCommand(plain) ?? parseInstallLink(plain) ?? findServers(readAny(plain))
  if (!servers) {
    throw new SluiceError(
      'BAD_INPUT',
      'No server was found in this text: an entry needs a "command" or a "url".',
    )
  }
  return readImportable({ servers: withContainerKeys(servers) }, { ...context, client: PASTED })
}

/**
 * `docker run -e KEY=value` as `-e KEY` with the variable: an argument can't be kept in the keyring. Docker takes the
 * value from its own environment.
 */
function withContainerKeys(servers: unknown): unknown {
  if (Array.isArray(servers)) return servers.map(withoutKeysInArguments)
  if (!isJsonObject(servers)) return servers
  return fromPairs(Object.entries(servers).map(([name, entry]) => [name, withoutKeysInArguments(entry)]))
}

function withoutKeysInArguments(entry: unknown): unknown {
  if (!isJsonObject(entry)) return entry
  const { command, args, env = {} } = entry
  if (typeof command !== 'string' || !Array.isArray(args) || !isJsonObject(env)) return entry
  const keys: [string, string][] = []
  const rest = args.map((arg: unknown, index) => {
    const place = containerVariables(args, command)[index]
    if (!place || place.name in env || plainKeys({ env: { [place.name]: place.value } }).length === 0)
      return arg
    keys.push([place.name, place.value])
    return place.before + place.name
  })
  return keys.length === 0
    ? entry
    : { ...entry, args: rest, env: fromPairs([...Object.entries(env), ...keys]) }
}

const PASTED: ClientSpec = { ...OTHER_CLIENT, label: 'the app', places: () => [{ path: ['servers'] }] }

/** The first block of a page, with what is written around it left out. */
const unfence = (text: string): string =>
  /(?:^|\n)[ \t]*```[\w-]*\r?\n([^]*?)\r?\n[ \t]*```/.exec(text)?.[1] ?? text

function readAny(text: string): unknown {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  const isJson = /^[{"[]|^\/[/*]/.test(trimmed) && !/^\[[\w."' -]+\]\s*(?:#.*)?$/m.test(trimmed)
  const attempts: readonly (readonly [ConfigFormat, string])[] = isJson
    ? [
        [jsonFormat, trimmed],
        // A part of a file: `"github": { … },`
        [jsonFormat, `{${trimmed.replace(/,\s*$/, '')}}`],
      ]
    : [
        [tomlFormat, trimmed],
        [yamlFormat, trimmed],
      ]
  const faults: string[] = []
  for (const [format, source] of attempts) {
    try {
      const { value } = format.parse(source)
      if (typeof value === 'object' && value !== null) return value
    } catch (error) {
      if (!(error instanceof ConfigSyntaxError)) throw error
      const { line, column } = placeOf(source, error.offset)
      faults.push(`${format.name}: ${error.message} (line ${line}, column ${column})`)
    }
  }
  // One line without configuration syntax: parser errors wouldn't help.
  if (!isJson && /^[^\n={}[\]]*$/.test(trimmed) && !/:(?:\s|$)/.test(trimmed)) {
    throw new SluiceError(
      'BAD_INPUT',
      `This isn't a configuration: an entry looks like {"name": {"command": "npx", "args": ["-y", "a-package"]}}, or has a "url". Commands such as "npx -y a-package" or "claude mcp add …", and addresses, are understood, too.`,
    )
  }
  throw new SluiceError(
    'BAD_INPUT',
    `This text can't be read. ${[...new Set(faults)].slice(0, isJson ? 1 : 2).join('; ')}`,
  )
}

/** Anywhere in the value. */
function findServers(value: unknown): unknown {
  const registered = entryOfRegistry(
    isJsonObject(value) && isJsonObject(value['server']) ? value['server'] : value,
  )
  if (registered) return fromPairs([registered])
  if (Array.isArray(value)) return value.some(isEntry) ? value : undefined
  if (!isJsonObject(value)) return undefined
  for (const key of CONTAINERS) {
    const inner = value[key]
    // VS Code's settings.json: { "mcp": { "servers": … } }
    const servers = isJsonObject(inner) && !hasEntries(inner) ? findServers(inner) : inner
    if (hasEntries(servers)) return servers
  }
  if (isEntry(value)) {
    return fromPairs([[typeof value['name'] === 'string' ? value['name'] : 'server', value]])
  }
  return hasEntries(value) ? value : undefined
}

const hasEntries = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isEntry) : isJsonObject(value) && Object.values(value).some(isEntry)

const STARTS = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri']

/** Includes unusable entries, to report why. */
const isEntry = (value: unknown): boolean =>
  isJsonObject(value) &&
  STARTS.some((key) => {
    const start = value[key]
    return typeof start === 'string' || Array.isArray(start) || (isJsonObject(start) && 'path' in start)
  })
