import { SluiceError } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { ClientSpec, ServerName, ServerPlace } from './client-spec.ts'
import type { EntryReading } from './entries/read-entry.ts'
import { readEntry } from './entries/read-entry.ts'
import type { OwnAddresses, SluiceRole } from './entries/sluice-entry.ts'
import { sluiceRole } from './entries/sluice-entry.ts'
import type { ConfigPath } from './formats/config-node.ts'

export interface ListedServer {
  readonly name: string
  readonly place: ServerPlace
  readonly path: ConfigPath
  readonly entry: unknown
  readonly reading: EntryReading
  readonly role: SluiceRole | undefined
}

/** Why it is neither wrapped nor imported. */
export const whySkipped = ({ reading, role }: Pick<ListedServer, 'reading' | 'role'>): string | undefined =>
  'unsupported' in reading
    ? `${reading.unsupported}.`
    : role && (role.role === 'self' ? 'it is Sluice itself.' : 'it is wrapped already.')

export const placesIn = (value: unknown, client: ClientSpec): readonly ServerPlace[] =>
  client.places(value).filter(({ path }) => {
    const container = valueAt(value, path)
    return isJsonObject(container) || Array.isArray(container)
  })

/** In order of its places. `isOff`: besides what the entries say. */
export function listServers(
  value: unknown,
  client: ClientSpec,
  own: OwnAddresses,
  isOff: (server: ServerName) => boolean = () => false,
): readonly ListedServer[] {
  return placesIn(value, client).flatMap((place) =>
    entriesOf(valueAt(value, place.path)).map(({ key, name, entry }): ListedServer => {
      const read = readEntry(entry, client.style)
      const reading = isOff({ name, project: place.project }) ? { ...read, disabled: true } : read
      const role = 'unsupported' in reading ? undefined : sluiceRole(reading.launch, own)
      return { name, place, path: [...place.path, key], entry, reading, role }
    }),
  )
}

export const valueAt = (value: unknown, path: ConfigPath): unknown =>
  path.reduce<unknown>(
    (rest, key) =>
      (isJsonObject(rest) || Array.isArray(rest)) && Object.hasOwn(rest, key)
        ? Reflect.get(rest, key)
        : undefined,
    value,
  )

interface NamedEntry {
  readonly key: string | number
  readonly name: string
  readonly entry: unknown
}

function entriesOf(container: unknown): readonly NamedEntry[] {
  if (Array.isArray(container)) {
    return container.map((entry: unknown, key) => ({
      key,
      name: nameIn(entry) ?? `server ${key + 1}`,
      entry,
    }))
  }
  return Object.entries(container ?? {}).map(([key, entry]) => ({ key, name: key, entry }))
}

const nameIn = (entry: unknown): string | undefined =>
  isJsonObject(entry) && typeof entry['name'] === 'string' ? entry['name'] : undefined

export interface ServerSelection {
  /** Default: all. */
  readonly servers?: readonly string[]
  readonly project?: string
  /** Stay unchanged; without a project: those outside projects. Unknown names are ignored. */
  readonly leaveOut?: readonly ServerName[]
}

/** Throws BAD_INPUT for an unknown name. */
export function chooseServers(
  all: readonly ListedServer[],
  { servers, project, leaveOut = [] }: ServerSelection,
): readonly ListedServer[] {
  const inProject = all.filter(({ place }) => project === undefined || isSameFolder(place.project, project))
  const isLeftOut = (server: ListedServer): boolean =>
    leaveOut.some(({ name, project: of }) => server.name === name && server.place.project === of)
  if (servers === undefined) return inProject.filter((server) => !isLeftOut(server))
  for (const name of servers) {
    if (inProject.some((server) => server.name === name)) continue
    const hint = didYouMean(
      name,
      inProject.map((server) => server.name),
    )
    throw new SluiceError('BAD_INPUT', `There is no server "${name}" in this file.${hint}`)
  }
  return inProject.filter((server) => servers.includes(server.name) && !isLeftOut(server))
}

/** Windows paths use either slash. */
const isSameFolder = (folder: string | undefined, wanted: string): boolean =>
  folder !== undefined && inSlashes(folder) === inSlashes(wanted)

const inSlashes = (folder: string): string => folder.replaceAll('\\', '/').replace(/\/+$/, '')
