import { messageOf } from '../ground/errors.ts'
import type { ClientFiles } from './client-files.ts'
import type { Machine } from '../ground/surroundings.ts'
import type { ClientSpec, FileChoice } from './client-spec.ts'
import { CLIENTS } from './clients.ts'
import { type LaunchSummary, summariseLaunch } from './launch-summary.ts'
import type { OwnAddresses } from './entries/sluice-entry.ts'
import { expandPath } from './expand-path.ts'
import { type ListedServer, listServers } from './list-servers.ts'
import { loadClientFile } from './load-client-file.ts'
import { switchedOff } from './switched-off.ts'

type ServerState = 'wrapped' | 'not wrapped' | 'sluice itself' | 'unsupported'

export interface FoundServer {
  readonly name: string
  /** Claude Code: project folder. */
  readonly project?: string
  readonly state: ServerState
  /** If wrapped. */
  readonly serverId?: string
  /** Why it can't be wrapped. */
  readonly why?: string
  readonly disabled: boolean
  readonly launch?: LaunchSummary
}

export interface FoundFile {
  readonly path: string
  /** The app would read it. */
  readonly isMissing?: true
  /** Why it can't be read. */
  readonly problem?: string
  readonly servers: readonly FoundServer[]
}

/** With an existing file. */
export interface FoundClient {
  readonly id: string
  readonly label: string
  readonly files: readonly FoundFile[]
  /** To decide before any change. */
  readonly question?: string
  readonly remark?: string
  readonly readOnly?: string
  readonly advice: string
}

export interface FindOptions extends Machine {
  readonly files: ClientFiles
  readonly own: OwnAddresses
}

export const findClients = (options: FindOptions): readonly FoundClient[] =>
  CLIENTS.map((client) => findClient(client, options)).filter(({ files }) => files.length > 0)

export function findClient(client: ClientSpec, options: FindOptions): FoundClient {
  const { files: paths, question, remark } = chooseFiles(client, options)
  const { id, label, readOnly, advice } = client
  return {
    id,
    label,
    files: paths.map((path) => describeFile(path, client, options)),
    ...(question === undefined ? {} : { question }),
    ...(remark === undefined ? {} : { remark }),
    ...(readOnly === undefined ? {} : { readOnly }),
    advice,
  }
}

/** For Claude Desktop's Windows package also the future one. */
export function chooseFiles(
  client: ClientSpec,
  { files, ...machine }: Machine & { files: ClientFiles },
): FileChoice {
  const chosen = client.chooseFiles?.(machine, files)
  if (chosen) {
    const isNew = chosen.files.some((path) => path.includes('LocalCache'))
    return { ...chosen, files: chosen.files.filter((path) => isNew || files.facts(path)) }
  }
  const found = client.files(machine).flatMap((alternatives) => {
    for (const pattern of alternatives) {
      const paths = expandPath(pattern, files)
      if (paths.length > 0) return paths
    }
    return []
  })
  return { files: [...new Set(found)] }
}

export const projectFilesOf = (client: ClientSpec, folder: string, files: ClientFiles): readonly string[] => {
  const separator = folder.includes('\\') ? '\\' : '/'
  const base = folder.replace(/[\\/]$/, '')
  return client.projectFiles.flatMap((file) => expandPath([base, ...file.split('/')].join(separator), files))
}

function describeFile(path: string, client: ClientSpec, { files, own, ...machine }: FindOptions): FoundFile {
  if (!files.facts(path)) return { path, isMissing: true, servers: [] }
  try {
    const { parsed } = loadClientFile(path, files)
    const isOff = switchedOff({ path, value: parsed.value, machine }, client, files)
    return { path, servers: listServers(parsed.value, client, own, isOff).map(describeServer) }
  } catch (error) {
    return { path, problem: messageOf(error), servers: [] }
  }
}

function describeServer({ name, place, reading, role }: ListedServer): FoundServer {
  const project = place.project === undefined ? {} : { project: place.project }
  if ('unsupported' in reading) {
    return { name, ...project, state: 'unsupported', why: reading.unsupported, disabled: false }
  }
  const facts = { name, ...project, disabled: reading.disabled, launch: summariseLaunch(reading.launch) }
  if (role?.role === 'wrapped') return { ...facts, state: 'wrapped', serverId: role.serverId }
  return { ...facts, state: role ? 'sluice itself' : 'not wrapped' }
}
