import { isDeepStrictEqual } from 'node:util'
import { applyPatch, structuredPatch } from 'diff'
import { SluiceError, messageOf } from '../errors.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { ClientSpec } from './client-spec.ts'
import type { OwnAddresses } from './entries/sluice-entry.ts'
import type { ConfigFormat, ContainerEdit } from './formats/config-format.ts'
import { editConfigText } from './formats/edit-config-text.ts'
import { editValue } from './formats/edit-value.ts'
import type { ListedServer } from './list-servers.ts'
import { listServers } from './list-servers.ts'
import { restoreEntry } from './restore-entry.ts'
import { fromJournalEdit } from './wrap-journal.ts'
import type { WrapJournal } from './wrap-journal.ts'

export interface TakeOutContext {
  readonly client: ClientSpec
  readonly own: OwnAddresses
  readonly format: ConfigFormat
  /** For messages. */
  readonly path: string
  /** Other servers of the file stay wrapped: the entry with Sluice's tools is still needed. */
  readonly keepsTools: boolean
}

export interface TakenOut {
  /** The file's text afterwards. */
  readonly text: string
  /** Names of the servers that are as they were. */
  readonly restored: readonly string[]
  /** What was found otherwise than it was left. */
  readonly remarks: readonly string[]
  /** The journal's edits that stay done. */
  readonly rest: Pick<WrapJournal, 'servers' | 'added'>
  /** The original with just those edits: what the file is if nobody else touched it. */
  readonly restText: string
}

/**
 * Takes what one journal put in out of a text that may have been edited since. First as a patch, so that the lines come
 * back as they were; where that does not fit, entry by entry.
 */
export function takeOut(
  text: string,
  original: string,
  journal: Pick<WrapJournal, 'servers' | 'added'>,
  names: readonly string[] | undefined,
  context: TakeOutContext,
): TakenOut {
  const { format, path, keepsTools } = context
  const goes = ({ name }: { name: string }): boolean => names === undefined || names.includes(name)
  const servers = journal.servers.filter((server) => !goes(server))
  const rest = { servers, added: keepsTools || servers.length > 0 ? journal.added : [] }
  const wrapped = replay(original, journal, format)
  const restText = replay(original, rest, format)
  const gone = { servers: journal.servers.filter(goes), added: rest.added.length > 0 ? [] : journal.added }
  if (text === wrapped) {
    return { text: restText, restored: gone.servers.map(({ name }) => name), remarks: [], rest, restText }
  }

  const { edits, restored, remarks } = editsFor(text, { original, wrapped, gone }, context)
  const wanted = editValue(format.parse(text).value, edits)
  const patched = patchText(text, wrapped, restText, (candidate) => says(candidate, wanted, format))
  if (patched !== undefined) return { text: patched, restored, remarks, rest, restText }
  try {
    const edited = edits.length === 0 ? text : editConfigText(text, format, edits)
    return { text: edited, restored, remarks, rest, restText }
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_INVALID',
      `${path} can't be changed safely. ${messageOf(error)} Nothing was written.`,
      { cause: error },
    )
  }
}

const replay = (
  original: string,
  { servers, added }: Pick<WrapJournal, 'servers' | 'added'>,
  format: ConfigFormat,
): string => {
  const edits = [...servers, ...added].flatMap((entry) => entry.edits).map(fromJournalEdit)
  return edits.length === 0 ? original : editConfigText(original, format, edits)
}

function says(text: string, wanted: unknown, format: ConfigFormat): boolean {
  try {
    return isDeepStrictEqual(format.parse(text).value, wanted)
  } catch {
    return false
  }
}

/** Fewer lines around a change let it fit where something close by was edited; the result is checked in any case. */
function patchText(
  text: string,
  from: string,
  to: string,
  isRight: (candidate: string) => boolean,
): string | undefined {
  for (const context of [3, 1, 0]) {
    const patch = structuredPatch('', '', from, to, undefined, undefined, { context })
    const patched = applyPatch(text, patch, { autoConvertLineEndings: false })
    if (patched !== false && isRight(patched)) return patched
  }
  return undefined
}

interface ToTakeOut {
  readonly original: string
  readonly wrapped: string
  readonly gone: Pick<WrapJournal, 'servers' | 'added'>
}

function editsFor(
  text: string,
  { original, wrapped, gone }: ToTakeOut,
  { client, own, format }: TakeOutContext,
): { edits: ContainerEdit[]; restored: string[]; remarks: string[] } {
  const entriesOf = (source: string): readonly ListedServer[] =>
    listServers(format.parse(source).value, client, own)
  const [before, put, now] = [entriesOf(original), entriesOf(wrapped), entriesOf(text)]
  const edits: ContainerEdit[] = []
  const restored: string[] = []
  const remarks: string[] = []
  for (const { name, place, serverId } of gone.servers) {
    const [first, ours, current] = [before, put, now].map((entries) => find(entries, place, name))
    const isOurs = current?.role?.role === 'wrapped' && current.role.serverId === serverId
    if (!current) remarks.push(`${name} is not in the file any more.`)
    else if (!isOurs) remarks.push(`${name} does not go through Sluice any more; it is left as it is.`)
    else if (isJsonObject(first?.entry) && isJsonObject(ours?.entry) && isJsonObject(current.entry)) {
      const versions = { original: first.entry, wrapped: ours.entry, current: current.entry }
      edits.push(restoreEntry(current.path, versions))
      restored.push(name)
    }
  }
  for (const { name, place } of gone.added) {
    const current = find(now, place, name)
    if (current?.role?.role === 'self') edits.push(removal(current))
  }
  return { edits: mergeByPath(edits), restored, remarks }
}

export const removal = ({ path }: ListedServer): ContainerEdit => ({
  path: path.slice(0, -1),
  replace: new Map([[path.at(-1) ?? '', []]]),
})

/** Two entries with Sluice's tools in one place are one edit of that place. */
export const mergeByPath = (edits: readonly ContainerEdit[]): ContainerEdit[] => {
  const byPath = new Map<string, ContainerEdit>()
  for (const edit of edits) {
    const key = JSON.stringify(edit.path)
    const other = byPath.get(key)
    byPath.set(key, {
      path: edit.path,
      replace: new Map([...(other?.replace ?? []), ...(edit.replace ?? [])]),
      append: [...(other?.append ?? []), ...(edit.append ?? [])],
    })
  }
  return [...byPath.values()]
}

const find = (
  entries: readonly ListedServer[],
  place: readonly (string | number)[],
  name: string,
): ListedServer | undefined =>
  entries.find((entry) => entry.name === name && isDeepStrictEqual([...entry.place.path], [...place]))
