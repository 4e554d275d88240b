import { isDeepStrictEqual } from 'node:util'
import { applyPatch, structuredPatch } from 'diff'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import type { ClientSpec } from './client-spec.ts'
import type { OwnAddresses } from './entries/sluice-entry.ts'
import { ConfigSyntaxError } from './formats/config-format.ts'
import type { ConfigFormat, ConfigText, ContainerEdit } from './formats/config-format.ts'
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
  readonly path: string
  readonly keepsTools: boolean
}

export interface TakenOut {
  readonly result: ConfigText
  /** Server names. */
  readonly restored: readonly string[]
  /** Differences from what wrapping left. */
  readonly remarks: readonly string[]
  /** Edits that stay. */
  readonly rest: Pick<WrapJournal, 'servers' | 'added'>
  /** The original with the remaining edits: the file if nothing else changed it. */
  readonly restText: string
}

/** From a file that may have changed: by a patch, which restores lines exactly, otherwise entry by entry. */
export function takeOut(
  current: ConfigText,
  original: ConfigText,
  journal: Pick<WrapJournal, 'servers' | 'added'>,
  names: readonly string[] | undefined,
  context: TakeOutContext,
): TakenOut {
  const { format, path, keepsTools } = context
  const goes = ({ name }: { name: string }): boolean => names === undefined || names.includes(name)
  const servers = journal.servers.filter((server) => !goes(server))
  const rest = { servers, added: keepsTools || servers.length > 0 ? journal.added : [] }
  const gone = { servers: journal.servers.filter(goes), added: rest.added.length > 0 ? [] : journal.added }
  const wrapped = replay(original, journal, format)
  const left = replay(original, rest, format)
  const outcome = { rest, restText: left.text }
  if (current.text === wrapped.text) {
    return { result: left, restored: gone.servers.map(({ name }) => name), remarks: [], ...outcome }
  }
  const { edits, restored, remarks } = editsFor({ original, wrapped, current, gone }, context)
  const wanted = editValue(current.parsed.value, edits)
  const patched = patchText(current.text, wrapped.text, left.text, (text) => readIf(text, wanted, format))
  try {
    const result = patched ?? editConfigText(current, format, edits)
    return { result, restored, remarks, ...outcome }
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_INVALID',
      `${path} can't be changed safely. ${messageOf(error)} Nothing was written.`,
      { cause: error },
    )
  }
}

const replay = (
  original: ConfigText,
  { servers, added }: Pick<WrapJournal, 'servers' | 'added'>,
  format: ConfigFormat,
): ConfigText =>
  editConfigText(
    original,
    format,
    [...servers, ...added].flatMap((entry) => entry.edits).map(fromJournalEdit),
  )

function readIf(text: string, wanted: unknown, format: ConfigFormat): ConfigText | undefined {
  try {
    const parsed = format.parse(text)
    return isDeepStrictEqual(parsed.value, wanted) ? { text, parsed } : undefined
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined
    throw error
  }
}

/** Less context lets a change apply near other edits; the result is checked anyway. */
function patchText(
  text: string,
  from: string,
  to: string,
  read: (candidate: string) => ConfigText | undefined,
): ConfigText | undefined {
  for (const context of [3, 1, 0]) {
    const patch = structuredPatch('', '', from, to, undefined, undefined, { context })
    const patched = applyPatch(text, patch, { autoConvertLineEndings: false })
    const result = patched === false ? undefined : read(patched)
    if (result) return result
  }
  return undefined
}

interface ToTakeOut {
  readonly original: ConfigText
  readonly wrapped: ConfigText
  readonly current: ConfigText
  readonly gone: Pick<WrapJournal, 'servers' | 'added'>
}

function editsFor(
  { gone, ...versions }: ToTakeOut,
  { client, own, format }: TakeOutContext,
): { edits: ContainerEdit[]; restored: string[]; remarks: string[] } {
  const [before, put, now] = [versions.original, versions.wrapped, versions.current].map(({ parsed }) =>
    listServers(parsed.value, client, own),
  )
  const edits: ContainerEdit[] = []
  const restored: string[] = []
  const remarks: string[] = []
  for (const { name, place, serverId } of gone.servers) {
    const [first, ours, current] = [before, put, now].map((entries) => find(entries ?? [], place, name))
    const isOurs = current?.role?.role === 'wrapped' && current.role.serverId === serverId
    // The user restored the old entry.
    if (current && isDeepStrictEqual(current.entry, first?.entry)) continue
    if (!current) remarks.push(`${name} is not in the file any more.`)
    else if (!isOurs) remarks.push(`${name} does not go through Sluice any more; it is left as it is.`)
    else if (isJsonObject(first?.entry) && isJsonObject(ours?.entry) && isJsonObject(current.entry)) {
      const entries = { original: first.entry, wrapped: ours.entry, current: current.entry }
      edits.push(restoreEntry(current.path, entries, format.name === 'TOML'))
      restored.push(name)
    }
  }
  for (const { name, place } of gone.added) {
    const current = find(now ?? [], place, name)
    if (current?.role?.role === 'self') edits.push(removal(current))
  }
  return { edits: mergeByPath(edits), restored, remarks }
}

export const removal = ({ path }: ListedServer): ContainerEdit => ({
  path: path.slice(0, -1),
  replace: new Map([[path.at(-1) ?? '', []]]),
})

export const mergeByPath = (edits: readonly ContainerEdit[]): ContainerEdit[] => {
  const byPath = new Map<string, ContainerEdit>()
  for (const edit of edits) {
    const key = JSON.stringify(edit.path)
    const other = byPath.get(key)
    byPath.set(key, {
      path: edit.path,
      replace: new Map([...(other?.replace ?? []), ...(edit.replace ?? [])]),
      after: new Map([...(other?.after ?? []), ...(edit.after ?? [])]),
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
