import {
  LATEST_LEGACY_VERSION,
  LEGACY_VERSIONS,
  MetaKey,
  type Implementation,
  type ServerHello,
} from './era.ts'
import { carrySources } from './exact-json.ts'
import { isJsonObject, type JsonObject } from './json-rpc.ts'

/** All that can carry words is approved as one item; instructions are separate. */
export function introductionOf({ serverInfo, capabilities }: ServerHello): JsonObject {
  const { version, ...info } = serverInfo
  const rest = splitCapabilities(capabilities).rest
  return {
    // Every update changes the version, which carries no words.
    serverInfo: isPlainVersion(version) ? info : serverInfo,
    ...(rest === undefined ? {} : { capabilities: rest }),
  }
}

export function shownHello(
  hello: ServerHello,
  may: {
    readonly serverId: string
    /** Introduction approved … */
    readonly introduce: boolean
    readonly instruct: boolean
  },
): ServerHello {
  const protocolVersion = plainProtocolVersion(hello.protocolVersion)
  const capabilities = may.introduce ? hello.capabilities : splitCapabilities(hello.capabilities).plain
  const serverInfo = may.introduce ? hello.serverInfo : plainServerInfo(hello.serverInfo, may.serverId)
  const instructions = may.instruct ? hello.instructions : undefined
  const shown: JsonObject = { protocolVersion, capabilities, serverInfo, instructions }
  return {
    era: hello.era,
    protocolVersion,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
    raw:
      hello.era === 'legacy'
        ? legacyAnswer(hello.raw, shown)
        : modernAnswer(hello.raw, shown, may.introduce && may.instruct),
  }
}

function legacyAnswer(raw: JsonObject, shown: JsonObject): JsonObject {
  const keys = Object.keys(raw).filter((key) => key in shown)
  const missing = ['protocolVersion', 'capabilities', 'serverInfo'].filter((key) => !keys.includes(key))
  return carrySources(raw, definedOnly([...keys, ...missing].map((key) => [key, shown[key]])))
}

function modernAnswer(
  raw: JsonObject,
  { capabilities, serverInfo, instructions }: JsonObject,
  isWhole: boolean,
): JsonObject {
  const versions = Array.isArray(raw['supportedVersions']) ? raw['supportedVersions'] : []
  const shown: JsonObject = {
    supportedVersions: versions.filter(
      (version) => typeof version === 'string' && isProtocolVersion(version),
    ),
    capabilities,
    instructions,
    // Another one follows once the user approves more.
    ...(isWhole ? {} : { ttlMs: 0, cacheScope: 'private' }),
  }
  return withKnownFields(raw, shown, serverInfo as Implementation)
}

/**
 * In the server's order; otherwise only the protocol's general fields and what carries no words. `serverInfo`
 * replaces the server's copy.
 */
export function withKnownFields(
  result: JsonObject,
  fields: JsonObject,
  serverInfo: Implementation,
): JsonObject {
  const known = Object.entries(result).map(([key, value]): [string, unknown] => {
    if (key in fields) return [key, fields[key]]
    const isPlain = envelope[key]?.(value) ?? false
    if (key === '_meta') return [key, plainMeta(value, serverInfo)]
    return [key, isPlain ? value : undefined]
  })
  return carrySources(result, definedOnly(known))
}

const envelope: Readonly<Record<string, (value: unknown) => boolean>> = {
  resultType: (value) => value === 'complete',
  ttlMs: (value) => typeof value === 'number',
  cacheScope: (value) => value === 'private' || value === 'public',
}

const plainMeta = (meta: unknown, serverInfo: Implementation): JsonObject | undefined =>
  isJsonObject(meta) && MetaKey.serverInfo in meta ? { [MetaKey.serverInfo]: serverInfo } : undefined

/** The server's copy may differ from the approved one. */
export function withServerInfo(result: JsonObject, serverInfo: Implementation): JsonObject {
  const meta = result['_meta']
  if (!isJsonObject(meta) || !(MetaKey.serverInfo in meta)) return result
  return { ...result, _meta: { ...meta, [MetaKey.serverInfo]: serverInfo } }
}

const definedOnly = (entries: readonly (readonly [string, unknown])[]): JsonObject =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

const plainServerInfo = ({ version }: Implementation, name: string): Implementation => ({
  name,
  version: isPlainVersion(version) ? version : '',
})

/** `1.2.3`, `v2025.11.25`, `1.0.0-rc.1`, `0.4.0.dev3+abc1234`: only digits and version words. */
const PLAIN_VERSION =
  /^v?\d{1,12}(?:\.\d{1,12}){0,4}(?:[-.]?(?:alpha|beta|rc|dev|pre|preview|post|canary|next|nightly|snapshot|a|b)(?:[-.]?\d{1,14}){0,3})?(?:\+[0-9a-f.]{1,40})?$/i
const isPlainVersion = (version: string): boolean => PLAIN_VERSION.test(version)

/** A date, or a protocol draft's name. */
const isProtocolVersion = (version: string): boolean =>
  /^(?:\d{4}-\d{2}-\d{2}|DRAFT-\d{4}-v\d{1,3})$/.test(version) || LEGACY_VERSIONS.includes(version)
const plainProtocolVersion = (version: string): string =>
  isProtocolVersion(version) ? version : LATEST_LEGACY_VERSION

const KNOWN_CAPABILITIES: ReadonlySet<string> = new Set([
  'tools',
  'prompts',
  'resources',
  'completions',
  'logging',
  'tasks',
  'experimental',
  'extensions',
  'listChanged',
  'subscribe',
  'list',
  'cancel',
  'requests',
  'call',
  'io.modelcontextprotocol/tasks',
  'io.modelcontextprotocol/ui',
])
const DEEPEST_CAPABILITY = 5

/** `plain`: known names and switches, without words. `rest`: all else, in place. */
function splitCapabilities(
  capabilities: JsonObject,
  depth = 1,
): { readonly plain: JsonObject; readonly rest: JsonObject | undefined } {
  const plain: [string, unknown][] = []
  const rest: [string, unknown][] = []
  for (const [name, value] of Object.entries(capabilities)) {
    if (!KNOWN_CAPABILITIES.has(name)) rest.push([name, value])
    else if (typeof value === 'boolean') plain.push([name, value])
    else if (isJsonObject(value) && depth < DEEPEST_CAPABILITY) {
      const inner = splitCapabilities(value, depth + 1)
      plain.push([name, inner.plain])
      if (inner.rest) rest.push([name, inner.rest])
    } else rest.push([name, value])
  }
  return {
    plain: Object.fromEntries(plain),
    rest: rest.length > 0 ? Object.fromEntries(rest) : undefined,
  }
}
