import type { ClientCost } from '../../../shared/api/clients.ts'
import type { FoundClient } from '../client-configs/find-clients.ts'
import { explorationToolDefinitions } from '../results/exploration-tools.ts'
import type { Definitions } from './definitions.ts'
import type { ScreensOptions } from './screens-options.ts'

/**
 * What a conversation of each wrapped app, and with each profile, carries before its first word. Of several projects
 * the costliest counts.
 */
export function clientCosts(
  apps: readonly FoundClient[],
  { settings }: Pick<ScreensOptions, 'settings'>,
  definitions: Pick<Definitions, 'contextTokens' | 'tokens'>,
): ClientCost[] {
  const tokensOf = (server: string): number => definitions.contextTokens(server) ?? 0
  const sum = (servers: Iterable<string>): number =>
    [...servers].reduce((tokens, server) => tokens + tokensOf(server), 0)
  const ownTokens = explorationToolDefinitions().reduce(
    (tokens, tool) => tokens + definitions.tokens(tool),
    0,
  )
  const profiles = Object.entries(settings.current.profiles).map(([name, profile]): ClientCost => {
    const reached = profile.servers.filter((id) => settings.current.servers[id]?.disabled !== true)
    const servers = reached.map((server) => ({ server, tokens: tokensOf(server) }))
    return { client: `p/${name}`, label: `Profile ${name}`, servers, tokens: sum(reached) + ownTokens }
  })
  const ofApps = apps.flatMap(({ id, label, files }) => {
    const found = files.flatMap(({ servers }) => servers).filter(({ disabled }) => !disabled)
    const reached = found.filter(
      ({ serverId }) => serverId !== undefined && settings.current.servers[serverId]?.disabled !== true,
    )
    if (reached.length === 0) return []
    const serversIn = (project: string | undefined): ReadonlySet<string> =>
      new Set(
        reached
          .filter((server) => server.project === undefined || server.project === project)
          .flatMap(({ serverId }) => serverId ?? []),
      )
    const projects = [...new Set(found.map(({ project }) => project))]
    const [costliest] = projects
      .map((project) => ({ project, servers: serversIn(project) }))
      .toSorted((a, b) => sum(b.servers) - sum(a.servers))
    const hasOwn = found.some(({ state, project }) => {
      const isHere = project === undefined || project === costliest?.project
      return state === 'sluice itself' && isHere
    })
    const own = hasOwn ? ownTokens : 0
    const servers = [...(costliest?.servers ?? [])]
    return [
      {
        client: id,
        label,
        ...(costliest?.project === undefined ? {} : { project: costliest.project }),
        servers: servers.map((server) => ({ server, tokens: tokensOf(server) })),
        tokens: sum(servers) + own,
      },
    ]
  })
  return [...ofApps, ...profiles]
}
