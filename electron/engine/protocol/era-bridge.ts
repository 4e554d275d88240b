import type { ClientHello, Implementation, ServerHello } from './era.ts'
import { LATEST_LEGACY_VERSION, LEGACY_VERSIONS, MetaKey, MODERN_VERSION } from './era.ts'
import { carrySources } from './exact-json.ts'
import type { JsonObject } from './json-rpc.ts'
import { isJsonObject, stringIn } from './json-rpc.ts'
import { withoutTasksExtension } from './without-tasks.ts'

/** 2026-07-28 requires cache hints for these results. */
const CACHEABLE = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
])

const envelopeKeys: readonly string[] = [
  MetaKey.protocolVersion,
  MetaKey.clientInfo,
  MetaKey.clientCapabilities,
  MetaKey.logLevel,
]

export const metaOf = (params: JsonObject | undefined): JsonObject => {
  const meta = params?.['_meta']
  return isJsonObject(meta) ? meta : {}
}

/** Even if broken. */
export const claimsEnvelope = (params: JsonObject | undefined): boolean =>
  MetaKey.protocolVersion in metaOf(params)

/** Only modern clients send the envelope. */
export const isModernRequest = (params: JsonObject | undefined): boolean =>
  typeof metaOf(params)[MetaKey.protocolVersion] === 'string'

const implementationOf = (value: unknown): Implementation =>
  isJsonObject(value) && typeof value['name'] === 'string'
    ? { ...value, name: value['name'], version: stringIn(value, 'version') }
    : { name: 'unknown', version: '' }

/** From `initialize` or a modern envelope. */
export function clientHelloOf(params: JsonObject | undefined): ClientHello {
  const meta = metaOf(params)
  if (isModernRequest(params)) {
    const capabilities = meta[MetaKey.clientCapabilities]
    return {
      era: 'modern',
      protocolVersion: stringIn(meta, MetaKey.protocolVersion),
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      clientInfo: implementationOf(meta[MetaKey.clientInfo]),
    }
  }
  const capabilities = params?.['capabilities']
  return {
    era: 'legacy',
    protocolVersion: stringIn(params, 'protocolVersion') || LATEST_LEGACY_VERSION,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    clientInfo: implementationOf(params?.['clientInfo']),
  }
}

export function toLegacyParams(params: JsonObject | undefined): JsonObject | undefined {
  if (params === undefined || !isJsonObject(params['_meta'])) return params
  const kept = Object.entries(params['_meta']).filter(([key]) => !envelopeKeys.includes(key))
  const { _meta, ...rest } = params
  return kept.length > 0 ? { ...rest, _meta: carrySources(params['_meta'], Object.fromEntries(kept)) } : rest
}

/** Cautious cache hints: private, already stale. */
export function toModernResult(method: string, result: JsonObject, serverInfo: Implementation): JsonObject {
  return {
    resultType: 'complete',
    ...(CACHEABLE.has(method) && result['resultType'] !== 'input_required'
      ? { ttlMs: 0, cacheScope: 'private' }
      : {}),
    ...result,
    _meta: { [MetaKey.serverInfo]: serverInfo, ...metaOf(result) },
  }
}

/** Without the fields of 2026-07-28. */
export function toLegacyResult(result: JsonObject): JsonObject {
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = result
  if (!isJsonObject(rest['_meta']) || !(MetaKey.serverInfo in rest['_meta'])) return rest
  const { [MetaKey.serverInfo]: _info, ...meta } = rest['_meta']
  const { _meta, ...bare } = rest
  return Object.keys(meta).length > 0 ? { ...bare, _meta: meta } : bare
}

export function initializeResult(hello: ServerHello, requestedVersion: string): JsonObject {
  if (hello.era === 'legacy') return hello.raw
  return {
    protocolVersion: LEGACY_VERSIONS.includes(requestedVersion) ? requestedVersion : LATEST_LEGACY_VERSION,
    capabilities: withoutTasksExtension(hello.capabilities),
    serverInfo: hello.serverInfo,
    ...(hello.instructions === undefined ? {} : { instructions: hello.instructions }),
  }
}

export function discoverResult(hello: ServerHello): JsonObject {
  if (hello.era === 'modern') return hello.raw
  const { tasks: _ofOlderKind, ...capabilities } = hello.capabilities
  return toModernResult(
    'server/discover',
    {
      supportedVersions: [MODERN_VERSION],
      capabilities,
      ...(hello.instructions === undefined ? {} : { instructions: hello.instructions }),
    },
    hello.serverInfo,
  )
}
