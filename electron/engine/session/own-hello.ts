import {
  LATEST_LEGACY_VERSION,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  type Implementation,
  type ServerHello,
} from '../protocol/era.ts'
import { toModernResult } from '../protocol/era-bridge.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'

/** What Sluice offers when it stands for several servers. */
const everything: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
}
const toolsOnly: JsonObject = { tools: { listChanged: true } }

export const ownImplementation = (version: string): Implementation => ({
  name: 'sluice',
  title: 'Sluice',
  version,
})

/** How Sluice introduces itself where it is the server: in front of all servers, or with its own tools alone. */
export function ownHello(options: {
  version: string
  requestedVersion: string
  listsServers: boolean
  instructions?: string | undefined
}): ServerHello {
  const body = {
    protocolVersion: LEGACY_VERSIONS.includes(options.requestedVersion)
      ? options.requestedVersion
      : LATEST_LEGACY_VERSION,
    capabilities: options.listsServers ? everything : toolsOnly,
    serverInfo: ownImplementation(options.version),
    ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
  }
  return { era: 'legacy', ...body, raw: body }
}

/** The servers' own instructions under their names, and a line for each server that could not be started. */
export function joinInstructions(
  servers: readonly { readonly serverId: string; readonly instructions?: unknown }[],
  failures: readonly { readonly serverId: string; readonly error: string }[],
): string | undefined {
  const said = servers.flatMap(({ serverId, instructions }) =>
    typeof instructions === 'string' ? [`# ${serverId}\n${instructions}`] : [],
  )
  const failed = failures.map(({ serverId, error }) => `# ${serverId}\nNot available: ${error}`)
  const parts = [...said, ...failed]
  return parts.length > 0 ? parts.join('\n\n') : undefined
}

/**
 * The introduction of a blocked server: what its client needs to go on, and no word of the server's own, which would
 * reach the model unseen by the user.
 */
export function blockedHello(serverId: string, hello: ServerHello): ServerHello {
  const { era, protocolVersion } = hello
  const capabilities = withoutWords(hello.capabilities)
  const version = /^[\w.+-]{1,40}$/.test(hello.serverInfo.version) ? hello.serverInfo.version : ''
  const serverInfo = { name: serverId, version }
  const raw =
    era === 'legacy'
      ? { protocolVersion, capabilities, serverInfo }
      : toModernResult('server/discover', { supportedVersions: [MODERN_VERSION], capabilities }, serverInfo)
  return { era, protocolVersion, capabilities, serverInfo, raw }
}

const DEEPEST_CAPABILITY = 5

/** Capabilities are names and switches; anything else in them is left out. */
function withoutWords(capabilities: JsonObject, depth = 1): JsonObject {
  const kept = Object.entries(capabilities).flatMap(([name, value]): [string, unknown][] => {
    if (!/^[\w./-]{1,60}$/.test(name)) return []
    if (typeof value === 'boolean') return [[name, value]]
    return isJsonObject(value) && depth < DEEPEST_CAPABILITY ? [[name, withoutWords(value, depth + 1)]] : []
  })
  return Object.fromEntries(kept)
}
