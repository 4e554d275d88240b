import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import type { WrapDependencies } from './apply-wrap.ts'
import type { ClientSpec } from './client-spec.ts'
import { OTHER_CLIENT, clientNamed } from './clients.ts'
import type { ConfigFormat, ConfigText } from './formats/config-format.ts'
import { editConfigText } from './formats/edit-config-text.ts'
import { listServers } from './list-servers.ts'
import { decodeFile, encodeLike, hashOf, loadClientFile, parseText } from './load-client-file.ts'
import type { LoadedFile } from './load-client-file.ts'
import { restoreFromSettings } from './restore-from-settings.ts'
import { settingsHash } from './settings-hash.ts'
import { takeOut } from './take-out.ts'
import type { TakeOutContext } from './take-out.ts'
import { WrapJournals } from './wrap-journal.ts'
import type { StoredJournal, WrapJournal } from './wrap-journal.ts'

export interface UnwrapRequest {
  readonly client: string
  readonly path: string
  /** Default: all. */
  readonly servers?: readonly string[]
}

export type UnwrapDependencies = Omit<WrapDependencies, 'pinOffers'>

type Servers = Readonly<Record<string, ServerSettings>>

/** Partly undone. */
interface RewrittenJournal {
  readonly folder: string
  readonly journal: WrapJournal
}

export interface UnwrapPlan {
  readonly client: ClientSpec
  readonly file: LoadedFile
  /** Afterwards. */
  readonly bytes: Uint8Array
  readonly result: ConfigText
  readonly isExact: boolean
  readonly restored: readonly string[]
  readonly removedIds: readonly string[]
  readonly remarks: readonly string[]
  readonly done: readonly StoredJournal[]
  readonly partly: readonly RewrittenJournal[]
}

export function planUnwrap(request: UnwrapRequest, dependencies: UnwrapDependencies): UnwrapPlan {
  const { files, launcher, settings, dataDir } = dependencies
  const client = request.client === OTHER_CLIENT.id ? OTHER_CLIENT : clientNamed(request.client)
  if (!client) throw new SluiceError('BAD_INPUT', `There is no app "${request.client}".`)
  const file = loadClientFile(request.path, files)
  const own = { launcher, httpPort: settings.current.http.port }
  const all = new WrapJournals(dataDir, files).list()
  const live = all.filter(({ journal, isUndone }) => !isUndone && journal.target === file.target)
  const keepsTools =
    request.servers !== undefined &&
    live.some(({ journal }) => journal.servers.some(({ name }) => request.servers?.includes(name) === false))
  const context: TakeOutContext = { client, own, format: file.format, path: file.path, keepsTools }
  checkNames(request, file, context)

  const backedUp = undoJournals(file, live, request.servers, context)
  const { servers } = settings.current
  const others = undoOthers(backedUp, request.servers, servers, context)
  const bytes = others.result === backedUp.result ? backedUp.bytes : encodeLike(backedUp, others.result.text)
  const oldest = live.at(-1)
  const stillThere = serverIdsIn(others.result, context)
  return {
    client,
    file,
    bytes,
    result: others.result,
    isExact: oldest !== undefined && hashOf(bytes) === hashOf(oldest.original),
    restored: [...backedUp.restored, ...others.restored],
    remarks: [...backedUp.remarks, ...others.remarks],
    removedIds: unneededIds({ all, live, partly: backedUp.partly, servers, stillThere }),
    done: backedUp.done,
    partly: backedUp.partly,
  }
}

function checkNames({ servers }: UnwrapRequest, file: LoadedFile, { client, own }: TakeOutContext): void {
  const wrapped = listServers(file.parsed.value, client, own).filter(({ role }) => role?.role === 'wrapped')
  for (const name of servers ?? []) {
    if (wrapped.some((server) => server.name === name)) continue
    const hint = didYouMean(
      name,
      wrapped.map((server) => server.name),
    )
    throw new SluiceError('BAD_INPUT', `There is no wrapped server "${name}" in ${file.path}.${hint}`)
  }
}

interface Undone {
  readonly bytes: Uint8Array
  readonly result: ConfigText
  readonly restored: readonly string[]
  readonly remarks: readonly string[]
  readonly done: readonly StoredJournal[]
  readonly partly: readonly RewrittenJournal[]
}

/** Newest first: exact unless the file was changed since. */
function undoJournals(
  file: LoadedFile,
  live: readonly StoredJournal[],
  names: readonly string[] | undefined,
  context: TakeOutContext,
): Undone {
  const start: Undone = { bytes: file.bytes, result: file, restored: [], remarks: [], done: [], partly: [] }
  return live.reduce((state, stored): Undone => {
    const { journal, original, folder } = stored
    const before = readVersion(original, folder, file.format)
    if (names === undefined && hashOf(state.bytes) === journal.afterHash) {
      const restored = [...state.restored, ...journal.servers.map(({ name }) => name)]
      return { ...state, bytes: original, result: before, restored, done: [...state.done, stored] }
    }
    const taken = takeOut(state.result, before, journal, names, context)
    const { servers, added } = taken.rest
    const isDone = servers.length === 0 && added.length === 0
    const isTouched = servers.length < journal.servers.length
    const afterHash = hashOf(encodeLike({ bytes: original }, taken.restText))
    const rewritten = { folder, journal: { ...journal, ...taken.rest, afterHash } }
    return {
      bytes: encodeLike(state, taken.result.text),
      result: taken.result,
      restored: [...state.restored, ...taken.restored],
      remarks: [...state.remarks, ...taken.remarks],
      done: isDone ? [...state.done, stored] : state.done,
      partly: isTouched && !isDone ? [...state.partly, rewritten] : state.partly,
    }
  }, start)
}

function readVersion(bytes: Uint8Array, path: string, format: ConfigFormat): ConfigText {
  const text = decodeFile(path, bytes)
  return { text, parsed: parseText(text, format, path) }
}

/** From config.json, without a usable backup. */
function undoOthers(
  { result, partly }: Undone,
  wanted: readonly string[] | undefined,
  servers: Servers,
  context: TakeOutContext,
): Pick<Undone, 'result' | 'restored' | 'remarks'> {
  const { value } = result.parsed
  const recorded = new Set(partly.flatMap(({ journal }) => journal.servers.map(({ name }) => name)))
  const names = listServers(value, context.client, context.own)
    .filter(({ role, name }) => role?.role === 'wrapped' && !recorded.has(name))
    .map(({ name }) => name)
    .filter((name) => wanted?.includes(name) ?? true)
  if (wanted !== undefined && names.length === 0) return { result, restored: [], remarks: [] }
  const { edits, restored, remarks } = restoreFromSettings(value, names, servers, context)
  return {
    result: edits.length === 0 ? result : editConfigText(result, context.format, edits),
    restored,
    remarks,
  }
}

const serverIdsIn = ({ parsed }: ConfigText, { client, own }: TakeOutContext): string[] =>
  listServers(parsed.value, client, own).flatMap(({ role }) =>
    role?.role === 'wrapped' ? [role.serverId] : [],
  )

/** Added by wrapping, unchanged since and no longer named by any wrapped file. */
function unneededIds(found: {
  all: readonly StoredJournal[]
  live: readonly StoredJournal[]
  partly: readonly RewrittenJournal[]
  servers: Servers
  stillThere: readonly string[]
}): string[] {
  const { all, live, partly, servers, stillThere } = found
  const idsOf = (journals: readonly { journal: WrapJournal }[]): string[] =>
    journals.flatMap(({ journal }) => journal.servers.map(({ serverId }) => serverId))
  const elsewhere = all.filter((stored) => !stored.isUndone && !live.includes(stored))
  const inUse = new Set([...idsOf(elsewhere), ...idsOf(partly), ...stillThere])
  return [...new Set(idsOf(live))].filter((id) => {
    const now = servers[id]
    if (!now || inUse.has(id)) return false
    const hashes = all.flatMap(({ journal }) =>
      journal.servers.flatMap((server) => (server.serverId === id ? (server.settingsHash ?? []) : [])),
    )
    return hashes.includes(settingsHash(now))
  })
}
