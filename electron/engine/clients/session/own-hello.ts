import {
  LATEST_LEGACY_VERSION,
  LEGACY_VERSIONS,
  type Implementation,
  type ServerHello,
} from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'

/** For several servers. */
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

export function joinInstructions(
  servers: readonly { readonly serverId: string; readonly instructions?: unknown }[],
  failures: readonly { readonly serverId: string; readonly error: string }[],
): string | undefined {
  const introductions = servers.flatMap(({ serverId, instructions }) =>
    typeof instructions === 'string' ? [`# ${serverId}\n${instructions}`] : [],
  )
  const failed = failures.map(({ serverId, error }) => `# ${serverId}\nNot available: ${error}`)
  const parts = [...introductions, ...failed]
  return parts.length > 0 ? parts.join('\n\n') : undefined
}
