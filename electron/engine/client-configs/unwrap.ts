import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError, messageOf } from '../errors.ts'
import { didYouMean } from '../nearest.ts'
import type { ClientSpec } from './client-spec.ts'
import { OTHER_CLIENT, clientNamed } from './clients.ts'
import { removeServers } from './config-changes.ts'
import { describeDiff } from './describe-diff.ts'
import type { WrapDependencies } from './apply-wrap.ts'
import { editConfigText } from './formats/edit-config-text.ts'
import { listServers, placesIn } from './list-servers.ts'
import { decodeFile, encodeLike, hashOf, loadClientFile, parseText } from './load-client-file.ts'
import type { LoadedFile } from './load-client-file.ts'
import { takeOut } from './plan-unwrap.ts'
import type { TakeOutContext } from './plan-unwrap.ts'
import { redactText } from './redact-text.ts'
import { restoreFromSettings } from './restore-from-settings.ts'
import { settingsHash } from './settings-hash.ts'
import { WrapJournals } from './wrap-journal.ts'
import type { StoredJournal, WrapJournal } from './wrap-journal.ts'
import { checkWritable, writeClientFile } from './write-client-file.ts'

export interface UnwrapRequest {
  /** Id of the app. */
  readonly client: string
  readonly path: string
  /** Names of the servers; all when left out. */
  readonly servers?: readonly string[]
}

type Servers = Readonly<Record<string, ServerSettings>>

export type UnwrapDependencies = Omit<WrapDependencies, 'reviewServers'>

/** What unwrapping does, before it is done. Holds no secrets. */
export interface UnwrapPreview {
  readonly request: UnwrapRequest
  readonly label: string
  readonly target: string
  readonly hash: string
  readonly resultHash: string
  /** Every byte will be as it was before the first wrapping. */
  readonly isExact: boolean
  /** Names of the servers that are reached directly again. */
  readonly restored: readonly string[]
  /** Ids that go out of config.json, because wrapping put them there and nothing else needs them. */
  readonly removedIds: readonly string[]
  readonly remarks: readonly string[]
  readonly diff: string
  readonly advice: string
}

interface UnwrapPlan {
  readonly client: ClientSpec
  readonly file: LoadedFile
  readonly bytes: Uint8Array
  readonly isExact: boolean
  readonly restored: readonly string[]
  readonly removedIds: readonly string[]
  readonly remarks: readonly string[]
  readonly done: readonly StoredJournal[]
  readonly partly: readonly { readonly folder: string; readonly journal: WrapJournal }[]
}

export function previewUnwrap(request: UnwrapRequest, dependencies: UnwrapDependencies): UnwrapPreview {
  const { client, file, bytes, isExact, restored, removedIds, remarks } = planUnwrap(request, dependencies)
  const text = decodeFile(file.path, bytes)
  const after = parseText(text, file.format, file.path)
  const places = [...placesIn(file.parsed.value, client), ...placesIn(after.value, client)]
  return {
    request,
    label: client.label,
    target: file.target,
    hash: file.hash,
    resultHash: hashOf(bytes),
    isExact,
    restored,
    removedIds,
    remarks,
    diff: describeDiff(
      file.path,
      redactText(file.text, file.parsed, file.format, places),
      redactText(text, after, file.format, places),
      'unwrapped',
    ),
    advice: client.advice,
  }
}

/** Makes the change of a preview; whatever fails, the file is as before. Servers go out of config.json last. */
export function applyUnwrap(preview: UnwrapPreview, dependencies: UnwrapDependencies): void {
  const { files, dataDir, settings } = dependencies
  const { file, bytes, removedIds, done, partly } = planUnwrap(preview.request, dependencies)
  if (file.hash !== preview.hash || hashOf(bytes) !== preview.resultHash) {
    throw new SluiceError(
      'CLIENT_FILE_CHANGED',
      `${file.path} was changed after the preview, so nothing was written. Look at the change again.`,
    )
  }
  checkWritable(file)
  if (file.hash !== preview.resultHash) writeClientFile(file, bytes, files)
  const journals = new WrapJournals(dataDir, files)
  for (const journal of done) journals.markUndone(journal, file.bytes)
  for (const { folder, journal } of partly) journals.rewrite(folder, journal)
  try {
    removeServers(removedIds, settings)
  } catch (error) {
    throw new SluiceError(
      'SETTINGS_INVALID',
      `${file.path} is unwrapped, but ${removedIds.join(', ')} could not be taken out of config.json: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

function planUnwrap(request: UnwrapRequest, dependencies: UnwrapDependencies): UnwrapPlan {
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
  const rest = undoOthers(backedUp, file, request.servers, { context, servers: settings.current.servers })
  const oldest = live.at(-1)
  return {
    client,
    file,
    bytes: rest.bytes,
    isExact: oldest !== undefined && hashOf(rest.bytes) === hashOf(oldest.original),
    restored: [...backedUp.restored, ...rest.restored],
    remarks: [...backedUp.remarks, ...rest.remarks],
    removedIds: unneededIds({ all, live, partly: backedUp.partly, servers: settings.current.servers }, (id) =>
      serverIdsIn(rest.bytes, file, context).includes(id),
    ),
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
  readonly restored: string[]
  readonly remarks: string[]
  readonly done: StoredJournal[]
  readonly partly: { folder: string; journal: WrapJournal }[]
}

/** Undoes one wrapping after the other, the newest first: each is exact where nothing else touched the file since. */
function undoJournals(
  file: LoadedFile,
  live: readonly StoredJournal[],
  names: readonly string[] | undefined,
  context: TakeOutContext,
): Undone {
  const undone: Undone = { bytes: file.bytes, restored: [], remarks: [], done: [], partly: [] }
  return live.reduce((state: Undone, stored): Undone => {
    const { journal, original, folder } = stored
    if (names === undefined && hashOf(state.bytes) === journal.afterHash) {
      state.restored.push(...journal.servers.map(({ name }) => name))
      return { ...state, bytes: original, done: [...state.done, stored] }
    }
    const text = decodeFile(file.path, state.bytes)
    const taken = takeOut(text, decodeFile(folder, original), journal, names, context)
    const { servers, added } = taken.rest
    const isDone = servers.length === 0 && added.length === 0
    const isTouched = servers.length < journal.servers.length
    const afterHash = hashOf(encodeLike({ bytes: original }, taken.restText))
    return {
      bytes: encodeLike(state, taken.text),
      restored: [...state.restored, ...taken.restored],
      remarks: [...state.remarks, ...taken.remarks],
      done: isDone ? [...state.done, stored] : state.done,
      partly:
        isDone || !isTouched
          ? state.partly
          : [...state.partly, { folder, journal: { ...journal, ...taken.rest, afterHash } }],
    }
  }, undone)
}

/** What is still wrapped when the backups have been used: of that only config.json tells what it was. */
function undoOthers(
  { bytes, partly }: Undone,
  file: LoadedFile,
  wanted: readonly string[] | undefined,
  { context, servers }: { context: TakeOutContext; servers: Servers },
): { bytes: Uint8Array; restored: readonly string[]; remarks: readonly string[] } {
  const text = decodeFile(file.path, bytes)
  const { value } = parseText(text, file.format, file.path)
  const recorded = new Set(partly.flatMap(({ journal }) => journal.servers.map(({ name }) => name)))
  const names = listServers(value, context.client, context.own)
    .filter(({ role, name }) => role?.role === 'wrapped' && !recorded.has(name))
    .map(({ name }) => name)
    .filter((name) => wanted?.includes(name) ?? true)
  if (wanted !== undefined && names.length === 0) return { bytes, restored: [], remarks: [] }
  const { edits, restored, remarks } = restoreFromSettings(value, names, servers, context)
  if (edits.length === 0) return { bytes, restored, remarks }
  return { bytes: encodeLike({ bytes }, editConfigText(text, file.format, edits)), restored, remarks }
}

const serverIdsIn = (bytes: Uint8Array, file: LoadedFile, { client, own }: TakeOutContext): string[] =>
  listServers(parseText(decodeFile(file.path, bytes), file.format, file.path).value, client, own).flatMap(
    ({ role }) => (role?.role === 'wrapped' ? [role.serverId] : []),
  )

/** Servers that wrapping put into config.json, that nobody changed there, and that no wrapped file names any more. */
function unneededIds(
  found: {
    all: readonly StoredJournal[]
    live: readonly StoredJournal[]
    partly: readonly { journal: WrapJournal }[]
    servers: Servers
  },
  isInFile: (id: string) => boolean,
): string[] {
  const { all, live, partly, servers } = found
  const idsOf = (journals: readonly { journal: WrapJournal }[]): string[] =>
    journals.flatMap(({ journal }) => journal.servers.map(({ serverId }) => serverId))
  const elsewhere = all.filter((stored) => !stored.isUndone && !live.includes(stored))
  const inUse = new Set([...idsOf(elsewhere), ...idsOf(partly)])
  return [...new Set(idsOf(live))].filter((id) => {
    const now = servers[id]
    if (!now || inUse.has(id) || isInFile(id)) return false
    const hashes = all.flatMap(({ journal }) =>
      journal.servers.flatMap((server) => (server.serverId === id ? (server.settingsHash ?? []) : [])),
    )
    return hashes.includes(settingsHash(now))
  })
}
