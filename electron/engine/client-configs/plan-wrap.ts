import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { plainKeyWarnings } from '../ground/secrets/plain-keys.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { ClientSpec, ServerName, ServerPlace } from './client-spec.ts'
import type { OwnAddresses } from './entries/sluice-entry.ts'
import { connectArgs, sluiceEntry } from './entries/sluice-entry.ts'
import { moveLaunch, wrapEntry } from './entries/wrap-entry.ts'
import type { ConfigText, ContainerEdit } from './formats/config-format.ts'
import type { ConfigPath } from './formats/config-node.ts'
import { editConfigText } from './formats/edit-config-text.ts'
import type { ListedServer, ServerSelection } from './list-servers.ts'
import { chooseServers, listServers, valueAt, whySkipped } from './list-servers.ts'
import type { LoadedFile } from './load-client-file.ts'
import { idIn } from './server-id.ts'
import { whyRefused } from './why-refused.ts'
import { warningsFor } from './wrap-warnings.ts'

export interface PlanContext {
  readonly client: ClientSpec
  readonly selection: ServerSelection
  readonly own: OwnAddresses
  readonly isOff: (server: ServerName) => boolean
  /** In config.json. */
  readonly servers: Readonly<Record<string, ServerSettings>>
}

interface PlannedServer {
  readonly name: string
  readonly place: ServerPlace
  readonly path: ConfigPath
  readonly serverId: string
  readonly settings: ServerSettings
  /** In config.json. */
  readonly isNew: boolean
  /** In the app, whose switch stays the only one. */
  readonly isOff: boolean
  /** Only the app has their values. */
  readonly appVariables: readonly string[]
  readonly edits: readonly ContainerEdit[]
}

/** With Sluice's own tools. */
interface AddedEntry {
  readonly place: ServerPlace
  readonly name: string
  readonly edit: ContainerEdit
}

export interface WrapPlan {
  readonly servers: readonly PlannedServer[]
  readonly skipped: readonly { readonly name: string; readonly why: string }[]
  readonly added: readonly AddedEntry[]
  readonly warnings: readonly string[]
  readonly result: ConfigText
}

/** Changes nothing. Deterministic for the same file, settings and selection. */
export function planWrap(file: LoadedFile, context: PlanContext): WrapPlan {
  const { client, selection, own } = context
  const all = listServers(file.parsed.value, client, own, context.isOff)
  const chosen = chooseServers(all, selection)
  const skipped: { name: string; why: string }[] = []
  const warnings: string[] = []
  const servers: PlannedServer[] = []
  const known: Record<string, ServerSettings> = { ...context.servers }

  for (const server of chosen) {
    const { name, entry, path, place, reading } = server
    const why = whySkipped(server)
    if (why !== undefined) skipped.push({ name, why })
    else if (isJsonObject(entry) && !('unsupported' in reading)) {
      const moved = moveLaunch(reading, client.placeholders)
      const settings: ServerSettings = moved.launch
      const refused = whyRefused(settings)
      if (refused !== undefined) {
        skipped.push({ name, why: refused })
        continue
      }
      const { serverId, isNew } = idIn(known, name, settings)
      const edits = wrapEntry({
        entry,
        path,
        read: reading,
        moved,
        style: client.style,
        command: own.launcher.command,
        args: connectArgs(own.launcher, client.id, serverId),
        launcherEnv: own.launcher.env ?? {},
      })
      servers.push({
        name,
        place,
        path,
        serverId,
        settings,
        isNew,
        isOff: reading.disabled,
        appVariables: [...moved.keptEnv, ...Object.keys(moved.addedEnv), ...reading.headerVariables],
        edits,
      })
      warnings.push(...warningsFor(name, entry, reading, moved, client))
      if (isNew) warnings.push(...plainKeyWarnings(serverId, settings))
    }
  }
  const added = placesInNeed(all, servers).map((place): AddedEntry => {
    const name = freeName(file.parsed.value, place)
    const entry = sluiceEntry(own.launcher, client, name)
    return { place, name, edit: { path: place.path, append: [[name, entry]] } }
  })
  const edits = [...servers.flatMap((server) => server.edits), ...added.map((entry) => entry.edit)]
  return { servers, skipped, added, warnings, result: edit(file, edits) }
}

function edit(file: LoadedFile, edits: readonly ContainerEdit[]): ConfigText {
  try {
    return editConfigText(file, file.format, edits)
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_INVALID',
      `${file.path} can't be changed safely. ${messageOf(error)} Nothing was written.`,
      { cause: error },
    )
  }
}

/** For an entry with Sluice's own tools. One in the file's widest place serves all. */
function placesInNeed(
  all: readonly ListedServer[],
  wrapped: readonly PlannedServer[],
): readonly ServerPlace[] {
  const keyOf = ({ path }: ServerPlace): string => JSON.stringify(path)
  const served = new Set(all.filter(({ role }) => role?.role === 'self').map(({ place }) => keyOf(place)))
  const places = [...new Map(wrapped.map(({ place }) => [keyOf(place), place])).values()]
  if (all.some(({ place }) => place.project === undefined && served.has(keyOf(place)))) return []
  const needing = places.some(({ project }) => project === undefined) ? places.slice(0, 1) : places
  return needing.filter((place) => !served.has(keyOf(place)))
}

function freeName(value: unknown, { path }: ServerPlace): string {
  const container = valueAt(value, path)
  const names = Array.isArray(container)
    ? container.map((entry: unknown) => (isJsonObject(entry) ? entry['name'] : undefined))
    : Object.keys(container ?? {})
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'sluice' : `sluice-${number}`
    if (!names.includes(name)) return name
  }
}
