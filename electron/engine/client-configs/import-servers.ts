import type { ServerSettings } from '../../../shared/settings.ts'
import type { ClientSpec, ServerName } from './client-spec.ts'
import type { WrapSettings } from './config-changes.ts'
import { translateLaunch } from './entries/translate-launch.ts'
import type { OwnAddresses } from './entries/sluice-entry.ts'
import { type LaunchSummary, summariseLaunch } from './launch-summary.ts'
import { chooseServers, type ListedServer, listServers, whySkipped } from './list-servers.ts'
import { idIn, isServerId } from './server-id.ts'
import { whyRefused } from './why-refused.ts'

export interface ImportableServer {
  readonly name: string
  readonly project?: string
  readonly serverId: string
  readonly settings: ServerSettings
  /** Why the id isn't the name. */
  readonly renamed?: 'taken' | 'unusable'
  /** In config.json. */
  readonly isNew: boolean
  readonly launch: LaunchSummary
  readonly warnings: readonly string[]
}

export interface Importable {
  readonly servers: readonly ImportableServer[]
  readonly skipped: readonly { readonly name: string; readonly why: string }[]
}

export interface ImportContext {
  readonly client: ClientSpec
  readonly own: OwnAddresses
  readonly isOff?: (server: ServerName) => boolean
  readonly servers: Readonly<Record<string, ServerSettings>>
  /** Default: all. */
  readonly names?: readonly string[]
  readonly project?: string
  readonly leaveOut?: readonly ServerName[]
}

export function readImportable(value: unknown, context: ImportContext): Importable {
  const all = chooseServers(listServers(value, context.client, context.own, context.isOff), {
    ...(context.names ? { servers: context.names } : {}),
    ...(context.project === undefined ? {} : { project: context.project }),
    ...(context.leaveOut ? { leaveOut: context.leaveOut } : {}),
  })
  return planImport(all, context)
}

function planImport(all: readonly ListedServer[], { client, servers }: ImportContext): Importable {
  const known: Record<string, ServerSettings> = { ...servers }
  const found: ImportableServer[] = []
  const skipped: { name: string; why: string }[] = []
  for (const server of all) {
    const { name, place, reading } = server
    const why = whySkipped(server)
    if (why !== undefined) skipped.push({ name, why })
    else if (!('unsupported' in reading)) {
      // Sluice can't resolve the app's placeholders: they are copied and reported.
      const open: string[] = []
      const launch = translateLaunch(reading.launch, client.placeholders, (text, field, which) => {
        open.push([field, which].join(' ').trim())
        return text
      })
      const settings: ServerSettings = { ...launch, ...(reading.disabled ? { disabled: true } : {}) }
      const refused = whyRefused(settings)
      if (refused !== undefined) {
        skipped.push({ name, why: refused })
        continue
      }
      const { serverId, isNew } = idIn(known, name, settings)
      const warnings =
        open.length === 0
          ? []
          : [
              `${name}: only ${client.label} knows the values of ${open.join(', ')}; write them into config.json.`,
            ]
      found.push({
        name,
        ...(place.project === undefined ? {} : { project: place.project }),
        serverId,
        ...(serverId !== name && { renamed: isServerId(name) ? ('taken' as const) : ('unusable' as const) }),
        settings,
        isNew,
        launch: summariseLaunch(settings),
        warnings,
      })
    }
  }
  return { servers: found, skipped }
}

export function importServers(
  servers: readonly Pick<ImportableServer, 'serverId' | 'settings' | 'isNew'>[],
  settings: Pick<WrapSettings, 'update'>,
): readonly string[] {
  const fresh = servers.filter(({ isNew }) => isNew)
  if (fresh.length > 0) {
    settings.update(fresh.map((server) => ({ path: ['servers', server.serverId], value: server.settings })))
  }
  return fresh.map(({ serverId }) => serverId)
}
