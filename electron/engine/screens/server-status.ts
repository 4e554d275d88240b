import type { ServerStatus } from '../../../shared/api/servers.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import type { LedgerReport } from '../ledger/ledger-report.ts'
import { noSavings } from '../ledger/savings.ts'
import { didYouMean } from '../ground/nearest.ts'
import { processesOf } from '../servers/states.ts'
import { formatProblem } from '../settings/settings-problem.ts'
import { groupMemory } from '../servers/upstream/group-memory.ts'
import type { Definitions } from './definitions.ts'
import { launchLine } from './launch-line.ts'
import { grantName } from '../servers/upstream/oauth/stored-grant.ts'
import { bringsCredentials } from '../servers/upstream/oauth/server-auths.ts'
import { LISTED_MS, type ScreensOptions } from './screens-options.ts'

/** Throws SERVER_UNKNOWN with the closest name. */
export function serverOf({ settings }: Pick<ScreensOptions, 'settings'>, id: string): ServerSettings {
  const { servers } = settings.current
  const server = Object.hasOwn(servers, id) ? servers[id] : undefined
  if (server) return server
  throw new SluiceError(
    'SERVER_UNKNOWN',
    `There is no server "${id.slice(0, 60)}" in config.json.${didYouMean(id, Object.keys(servers))}`,
  )
}

export async function statusOf(
  options: ScreensOptions,
  definitions: Definitions,
  ids: readonly string[],
): Promise<ServerStatus[]> {
  const { ledger, serverStates, platform, now, settings, secrets } = options
  const pidsOf = (id: string): number[] => processesOf(serverStates.of(id).connections)
  const mayHaveGrant = ids.some((id) => settings.current.servers[id]?.url !== undefined)
  const [report, memory, kept] = await Promise.all([
    ledger.report({ from: now() - LISTED_MS, to: now() + 1 }),
    groupMemory(ids.flatMap(pidsOf), platform),
    // The store's users report that it is unreadable.
    mayHaveGrant && secrets ? secrets.list().catch(() => []) : [],
  ])
  const secretNames = new Set(kept.map(({ name }) => name))
  return ids.map((id) => describe(options, definitions, id, { report, memory, secretNames }))
}

function describe(
  options: ScreensOptions,
  definitions: Definitions,
  id: string,
  {
    report,
    memory,
    secretNames,
  }: { report: LedgerReport; memory: ReadonlyMap<number, number>; secretNames: ReadonlySet<string> },
): ServerStatus {
  const { settings, serverStates, sharing, logger } = options
  const server = serverOf(options, id)
  const { state, since, failure, open, connections, hello, retryAt, wantsSignIn } = serverStates.of(id)
  const pids = processesOf(connections)
  const evidence = server.shared === undefined ? sharing.of(id) : undefined
  const known = pids.flatMap((pid) => memory.get(pid) ?? [])
  const tools = definitions.approvedTools(id)
  const contextTokens = definitions.contextTokens(id)
  const { server: _name, ...savings } = report.byServer.find((row) => row.server === id) ?? {
    ...noSavings(),
    server: id,
  }
  return {
    id,
    launch: launchLine(server),
    type: typeOf(server),
    state: server.disabled ? 'disabled' : state,
    open,
    pids,
    waiting: definitions.waiting(id),
    savings,
    problems: settings.problems
      .filter(({ serverId }) => serverId === id)
      .map((problem) => logger.cleanText(formatProblem(problem, 'config.json'))),
    ...(server.url === undefined || bringsCredentials(server)
      ? {}
      : {
          signIn: wantsSignIn
            ? ('needed' as const)
            : secretNames.has(grantName(id))
              ? ('done' as const)
              : ('possible' as const),
        }),
    ...(server.shared ? { shared: true } : {}),
    ...(evidence ? { sharing: evidence } : {}),
    ...(since === undefined ? {} : { since }),
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(failure === undefined ? {} : { failure: logger.cleanText(failure) }),
    ...(known.length === 0 ? {} : { memory: known.reduce((sum, bytes) => sum + bytes, 0) }),
    ...(tools === undefined ? {} : { tools }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(hello === undefined
      ? {}
      : {
          era: hello.era,
          protocolVersion: hello.protocolVersion,
          name: hello.serverInfo.name,
          version: hello.serverInfo.version,
        }),
  }
}

const typeOf = ({ command, type }: ServerSettings): ServerStatus['type'] => {
  if (command !== undefined) return 'stdio'
  return type === 'sse' ? 'sse' : 'http'
}
