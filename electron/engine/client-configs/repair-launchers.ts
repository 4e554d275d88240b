import type { LostLauncher } from '../../../shared/api/desktop.ts'
import { isDeepStrictEqual } from 'node:util'
import { SluiceError } from '../ground/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { ClientFiles } from './client-files.ts'
import type { Machine } from '../ground/surroundings.ts'
import type { ClientSpec } from './client-spec.ts'
import { CLIENTS } from './clients.ts'
import { connectsFrom, type Launcher } from './entries/sluice-entry.ts'
import { chooseFiles } from './find-clients.ts'
import type { ContainerEdit, Pair } from './formats/config-format.ts'
import type { ConfigPath } from './formats/config-node.ts'
import { editConfigText } from './formats/edit-config-text.ts'
import { listServers, type ListedServer } from './list-servers.ts'
import { encodeLike, hashOf, loadClientFile, type LoadedFile } from './load-client-file.ts'
import { WrapJournals, type JournalEdit, type WrapJournal } from './wrap-journal.ts'
import { checkWritable, writeClientFile } from './write-client-file.ts'

// A moved or updated app leaves entries that start nothing. They are found at start, and repaired on the user's
// request.

export interface LookOptions extends Machine {
  readonly files: ClientFiles
  readonly launcher: Launcher
  /** Loopback port of `/mcp`. */
  readonly httpPort: number
  readonly exists: (path: string) => boolean
}

/** Ignores entries of other data folders or with existing programs, and faulty files. */
export function findLostLaunchers(options: LookOptions): readonly LostLauncher[] {
  return CLIENTS.flatMap((client) =>
    client.readOnly === undefined
      ? chooseFiles(client, options).files.flatMap((path) => lostIn(path, client, options))
      : [],
  )
}

function lostIn(path: string, client: ClientSpec, options: LookOptions): LostLauncher[] {
  try {
    const lost = lostEntries(loadClientFile(path, options.files), client, options)
    const [first] = lost
    if (!first) return []
    const { id, label } = client
    return [{ client: id, label, path, servers: lost.map(({ name }) => name), missing: first.missing }]
  } catch (error) {
    if (error instanceof SluiceError) return []
    throw error
  }
}

type LostEntry = ListedServer & { readonly missing: string; readonly words: readonly string[] }

function lostEntries(file: LoadedFile, client: ClientSpec, options: LookOptions): readonly LostEntry[] {
  const { launcher, httpPort, exists } = options
  return listServers(file.parsed.value, client, { launcher, httpPort }).flatMap((server): LostEntry[] => {
    const { reading, role } = server
    if (!role || 'unsupported' in reading) return []
    const words = [reading.launch.command ?? '', ...(reading.launch.args ?? [])]
    const start = words.slice(0, connectsFrom(words))
    if (start.length === 0 || dataDirIn(start) !== dataDirIn(launcher.args)) return []
    const missing = start.filter(isOwnPath).find((path) => !exists(path))
    return missing === undefined ? [] : [{ ...server, missing, words }]
  })
}

/** The app resolves bare names in an unknown environment. */
const isOwnPath = (word: string, index: number): boolean =>
  /^(?:[/~]|[A-Za-z]:[\\/])/.test(word) && (index === 0 || /electron[\\/]cli\.[jt]s$/.test(word))

const dataDirIn = (words: readonly string[]): string | undefined => {
  const index = words.indexOf('--data-dir')
  return index === -1 ? undefined : words[index + 1]
}

export interface RepairOptions extends LookOptions {
  readonly dataDir: string
}

/**
 * Also updates the wrap journal, so that unwrapping stays exact. Returns names. Throws as wrapping does, leaving the
 * file unchanged.
 */
export function repairLaunchers(clientId: string, path: string, options: RepairOptions): readonly string[] {
  const client = CLIENTS.find(({ id }) => id === clientId)
  if (!client) throw new SluiceError('BAD_INPUT', `There is no app "${clientId}".`)
  const file = loadClientFile(path, options.files)
  const lost = lostEntries(file, client, options)
  if (lost.length === 0) return []
  checkWritable(file)
  const edits = lost.flatMap((entry) => repairEntry(entry, client, options.launcher))
  const { text } = editConfigText(file, file.format, edits)
  const bytes = encodeLike(file, text)
  const journals = new WrapJournals(options.dataDir, options.files)
  const rewritten = journals
    .list()
    .filter(({ isUndone, journal }) => !isUndone && journal.target === file.target)
    .map(({ folder, journal }) => ({
      folder,
      journal: repairJournal(journal, lost, {
        client,
        launcher: options.launcher,
        from: file.hash,
        to: hashOf(bytes),
      }),
    }))
  writeClientFile(file, bytes, options.files)
  for (const { folder, journal } of rewritten) journals.rewrite(folder, journal)
  return lost.map(({ name }) => name)
}

function newStart({ words }: LostEntry, { style }: ClientSpec, launcher: Launcher): readonly Pair[] {
  const rest = words.slice(connectsFrom(words))
  return style.commandIsList
    ? [[style.command, [launcher.command, ...launcher.args, ...rest]]]
    : [
        [style.command, launcher.command],
        ['args', [...launcher.args, ...rest]],
      ]
}

function repairEntry(lost: LostEntry, client: ClientSpec, launcher: Launcher): readonly ContainerEdit[] {
  const entry = isJsonObject(lost.entry) ? lost.entry : {}
  const replace = new Map<string, readonly Pair[]>()
  for (const [key, value] of newStart(lost, client, launcher)) replace.set(key, [[key, value]])
  const wanted = launcher.env ?? {}
  const envKey = ['env', 'envs', 'environment'].find((key) => isJsonObject(entry[key]))
  if (envKey === undefined) {
    const last = [...replace.keys()].at(-1) ?? client.style.command
    if (Object.keys(wanted).length > 0)
      replace.set(last, [...(replace.get(last) ?? []), [client.style.env, wanted]])
    return [{ path: lost.path, replace }]
  }
  const present = entry[envKey] as JsonObject
  const gone = Object.keys(present).filter((name) => OWN_VARIABLES.includes(name) && !(name in wanted))
  const changed = Object.entries(wanted).filter(([name, value]) => name in present && present[name] !== value)
  const added = Object.entries(wanted).filter(([name]) => !(name in present))
  if (gone.length + changed.length + added.length === 0) return [{ path: lost.path, replace }]
  if (gone.length === Object.keys(present).length && added.length === 0) {
    replace.set(envKey, [])
    return [{ path: lost.path, replace }]
  }
  const envEdit: ContainerEdit = {
    path: [...lost.path, envKey],
    replace: new Map<string, readonly Pair[]>([
      ...gone.map((name): [string, readonly Pair[]] => [name, []]),
      ...changed.map(([name, value]): [string, readonly Pair[]] => [name, [[name, value]]]),
    ]),
    append: added,
  }
  return [{ path: lost.path, replace }, envEdit]
}

/** Needed by some launchers only. */
const OWN_VARIABLES: readonly string[] = ['ELECTRON_RUN_AS_NODE']

function repairJournal(
  journal: WrapJournal,
  lost: readonly LostEntry[],
  change: { client: ClientSpec; launcher: Launcher; from: string; to: string },
): WrapJournal {
  const { client, launcher, from, to } = change
  const repair = <Recorded extends { name: string; place: ConfigPath; edits: JournalEdit[] }>(
    recorded: Recorded,
  ): Recorded => {
    const entry = lost.find(
      ({ name, place }) => name === recorded.name && isDeepStrictEqual([...place.path], [...recorded.place]),
    )
    if (!entry) return recorded
    const pairs = new Map(newStart(entry, client, launcher))
    return { ...recorded, edits: recorded.edits.map((edit) => repairEdit(edit, pairs, launcher)) }
  }
  return {
    ...journal,
    afterHash: journal.afterHash === from ? to : journal.afterHash,
    servers: journal.servers.map(repair),
    added: journal.added.map(repair),
  }
}

function repairEdit(edit: JournalEdit, start: ReadonlyMap<string, unknown>, launcher: Launcher): JournalEdit {
  const repairPair = ([key, value]: JournalPair): JournalPair[] => {
    if (start.has(key)) return [[key, start.get(key) as JournalValue]]
    if (ENV_KEYS.includes(key) && isJsonObject(value)) {
      const env = repairEnv(value, launcher)
      return Object.keys(env).length === 0 ? [] : [[key, env as JournalValue]]
    }
    return [[key, isJsonObject(value) ? (repairValue(value, start, launcher) as JournalValue) : value]]
  }
  return {
    path: edit.path,
    replace: edit.replace.map(([key, pairs]) => [key, pairs.flatMap(repairPair)]),
    append: edit.append.flatMap(repairPair),
  }
}

type JournalPair = JournalEdit['append'][number]
type JournalValue = JournalPair[1]
const ENV_KEYS = ['env', 'envs', 'environment']

function repairValue(value: JsonObject, start: ReadonlyMap<string, unknown>, launcher: Launcher): JsonObject {
  const repaired = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (start.has(key)) return [[key, start.get(key)]]
    if (!ENV_KEYS.includes(key) || !isJsonObject(item)) return [[key, item]]
    const env = repairEnv(item, launcher)
    return Object.keys(env).length === 0 ? [] : [[key, env]]
  })
  return Object.fromEntries(repaired)
}

const repairEnv = (env: JsonObject, { env: wanted = {} }: Launcher): JsonObject => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_VARIABLES.includes(name))),
  ...wanted,
})
