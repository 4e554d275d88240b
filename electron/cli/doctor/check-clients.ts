import { resolve } from 'node:path'
import { Settings } from '../../../shared/settings.ts'
import { findClients, type FoundServer } from '../../engine/client-configs/find-clients.ts'
import { hookObstacles } from '../../engine/client-configs/hooks/hook-state.ts'
import { nodeClientFiles } from '../../engine/client-configs/node-client-files.ts'
import type { CliContext } from '../cli-context.ts'
import { ownLauncher } from '../client-targets.ts'
import { defaultDataDir } from '../data-dir.ts'
import { problem, warning, type Finding } from './finding.ts'

/** Hooks without effect, and servers that AI apps start through Sluice on this data folder but config.json lacks. */
export const checkClients = (settings: Settings, dataDir: string, context: CliContext): Finding[] => [
  ...hookObstacles({ machine: context, files: nodeClientFiles, port: settings.http.port }).map((obstacle) =>
    warning('clients', obstacle),
  ),
  ...unknownServers(settings, dataDir, context),
]

function unknownServers(settings: Settings, dataDir: string, context: CliContext): Finding[] {
  return wrappedServers(settings, dataDir, context).flatMap(({ label, servers }) => {
    const missing = servers.flatMap(({ serverId = '' }) => (settings.servers[serverId] ? [] : [serverId]))
    if (missing.length === 0) return []
    const names = [...new Set(missing)].map((id) => `"${id}"`).join(', ')
    return [
      problem(
        'clients',
        `${label} starts ${names} through Sluice, but config.json in ${dataDir} has no such server. If the folder was removed or emptied, end every Sluice that still runs and put the folder back; else add the server, or take its entry out of the app.`,
      ),
    ]
  })
}

/** What the apps' own entries say of servers that they reach through Sluice. */
export interface InApps {
  /** Ids of servers that each of these apps has switched off. */
  readonly off: ReadonlySet<string>
  /** By server id: an app, and the names of the variables that its entry passes on. */
  readonly given: ReadonlyMap<
    string,
    readonly { readonly label: string; readonly names: readonly string[] }[]
  >
}

export function lookInApps(settings: Settings, dataDir: string, context: CliContext): InApps {
  const all = wrappedServers(settings, dataDir, context).flatMap(({ label, servers }) =>
    servers.map(({ serverId = '', disabled, launch }) => {
      // A summary shows values of variables that decide what is started.
      const names = (launch?.env ?? []).map((shown) => shown.replace(/=.*$/s, ''))
      return { serverId, disabled, label, names }
    }),
  )
  const on = new Set(all.flatMap(({ serverId, disabled }) => (disabled ? [] : [serverId])))
  return {
    off: new Set(all.flatMap(({ serverId }) => (on.has(serverId) ? [] : [serverId]))),
    given: Map.groupBy(all, ({ serverId }) => serverId),
  }
}

function wrappedServers(
  settings: Settings,
  dataDir: string,
  context: CliContext,
): { label: string; servers: FoundServer[] }[] {
  const { platform, homeDir, env } = context
  const own = {
    launcher: ownLauncher(context, { dataDir }),
    httpPort: settings.http.port || Settings.parse({}).http.port,
  }
  const usual = resolve(defaultDataDir({ platform, homeDir, env: {} }))
  return findClients({ platform, homeDir, env, files: nodeClientFiles, own }).map(({ label, files }) => ({
    label,
    servers: files
      .flatMap(({ servers }) => servers)
      .filter((server) => server.serverId !== undefined && (dataDirOf(server) ?? usual) === dataDir),
  }))
}

/** Undefined if the entry names none. */
function dataDirOf({ launch }: FoundServer): string | undefined {
  const words = launch?.args ?? []
  const index = words.findIndex((word) => /^--data-dir(?:=|$)/.test(word))
  if (index === -1) return undefined
  const word = words[index] ?? ''
  return resolve(word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[index + 1] ?? ''))
}
