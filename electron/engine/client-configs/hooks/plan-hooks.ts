import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { ClientFiles } from '../client-files.ts'
import type { ContainerEdit } from '../formats/config-format.ts'
import { jsonFormat } from '../formats/json-format.ts'
import { editConfigText } from '../formats/edit-config-text.ts'
import { decodeFile, encodeLike, hashOf, loadClientFile, type LoadedFile } from '../load-client-file.ts'
import { isOwnHook } from './hook-command.ts'
import type { HookEntry, HookPlace, HookSpec } from './hook-spec.ts'

/** A change of one file. */
export interface HookPlan {
  readonly path: string
  /** Undefined: not there yet. */
  readonly file: LoadedFile | undefined
  /** Undefined: the file goes. */
  readonly bytes: Uint8Array | undefined
  readonly isChange: boolean
  /** Lists and maps that weren't there. */
  readonly created: readonly string[]
  /** Tools that another product's hook has, by its words. */
  readonly taken: readonly { readonly tool: string; readonly by: string }[]
}

/** `insists`: also where another product's hook is. */
export function planHooks(
  spec: HookSpec,
  place: HookPlace,
  files: ClientFiles,
  { insists = false }: { readonly insists?: boolean } = {},
): HookPlan {
  const path = spec.file(place.machine)
  if (spec.kind === 'own') {
    const file = loadOwnFile(path, files)
    const bytes = new TextEncoder().encode(spec.text(place))
    if (file && !isOwnText(file.text)) throw foreignFile(path)
    return { path, file, bytes, isChange: file?.text !== spec.text(place), created: [], taken: [] }
  }
  const file = files.facts(path) ? loadClientFile(path, files) : undefined
  const taken = insists ? [] : takenTools(file?.parsed.value, spec.outputEvent, place.tools)
  const tools = place.tools.filter((tool) => taken.every((one) => one.tool !== tool))
  const wanted = spec
    .entries({ ...place, tools })
    .filter(({ event }) => event !== spec.outputEvent || tools.length > 0)
  if (!file) {
    const hooks = Object.fromEntries(wanted.map(({ event, value }) => [event, [value]]))
    const text = `${JSON.stringify({ ...spec.base, hooks }, null, 2)}\n`
    return { path, file, bytes: new TextEncoder().encode(text), isChange: true, created: ['file'], taken }
  }
  const missing = wanted.filter(({ event, value }) => !ownIn(file, event).some((own) => isSame(own, value)))
  const read = withObject(file)
  const { edits, created } = additions(read, missing)
  const text = editConfigText(read, read.format, edits).text
  return { path, file, bytes: encodeLike(file, text), isChange: edits.length > 0, created, taken }
}

/** A file with nothing but blanks and comments has no object yet. */
function withObject(file: LoadedFile): LoadedFile {
  const { start, end } = file.parsed.root
  if (start < end) return file
  const text = `${file.text}{}`
  return { ...file, text, parsed: file.format.parse(text) }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const hooksIn = (value: unknown): JsonObject | undefined =>
  isJsonObject(value) && isJsonObject(value['hooks']) ? value['hooks'] : undefined

const entriesIn = (value: unknown, event: string): readonly unknown[] => {
  const entries = hooksIn(value)?.[event]
  return Array.isArray(entries) ? entries : []
}

const ownIn = (file: LoadedFile, event: string): readonly unknown[] =>
  entriesIn(file.parsed.value, event).filter(isOwnHook)

/** The user's hooks in a group of Sluice's. */
const othersIn = (entry: unknown): readonly unknown[] =>
  isJsonObject(entry) && Array.isArray(entry['hooks'])
    ? entry['hooks'].filter((hook: unknown) => !isOwnHook(hook))
    : []

/** Takes Sluice's hooks out, and groups that have no other. */
function removals(value: unknown, event: string): readonly ContainerEdit[] {
  const entries = entriesIn(value, event)
  const out = (list: readonly unknown[], goes: (one: unknown) => boolean) =>
    new Map(list.flatMap((one, index) => (goes(one) ? [[index, []] as const] : [])))
  const isWhole = (entry: unknown): boolean => isOwnHook(entry) && othersIn(entry).length === 0
  return [
    { path: ['hooks', event], replace: out(entries, isWhole) },
    ...entries.flatMap((entry, index): ContainerEdit[] =>
      isJsonObject(entry) && isOwnHook(entry) && !isWhole(entry) && Array.isArray(entry['hooks'])
        ? [{ path: ['hooks', event, index, 'hooks'], replace: out(entry['hooks'], isOwnHook) }]
        : [],
    ),
  ]
}

/** After the user's own, whose place in a list may be what they are trusted by. Older ones of Sluice are replaced. */
function additions(
  file: LoadedFile,
  missing: readonly HookEntry[],
): { edits: readonly ContainerEdit[]; created: readonly string[] } {
  if (missing.length === 0) return { edits: [], created: [] }
  const value = file.parsed.value
  if (!isJsonObject(value) || (value['hooks'] !== undefined && !hooksIn(value))) throw oddFile(file.path)
  const hooks = hooksIn(value)
  if (!hooks) {
    const all = Object.fromEntries(missing.map(({ event, value: entry }) => [event, [entry]]))
    return { edits: [{ path: [], append: [['hooks', all]] }], created: ['hooks'] }
  }
  const isThere = ({ event }: HookEntry): boolean => hooks[event] !== undefined
  if (missing.some((entry) => isThere(entry) && !Array.isArray(hooks[entry.event]))) throw oddFile(file.path)
  const added = missing.filter((entry) => !isThere(entry))
  return {
    edits: [
      ...missing.filter(isThere).flatMap(({ event, value: entry }) => {
        const [groups, ...hooksOfGroups] = removals(value, event)
        return [{ path: ['hooks', event], ...groups, append: [['', entry] as const] }, ...hooksOfGroups]
      }),
      ...(added.length === 0
        ? []
        : [{ path: ['hooks'], append: added.map(({ event, value: entry }) => [event, [entry]] as const) }]),
    ],
    created: added.map(({ event }) => event),
  }
}

/** Tools for which another product's hook may answer, too. */
function takenTools(value: unknown, event: string | undefined, tools: readonly string[]): HookPlan['taken'] {
  if (event === undefined) return []
  const others = entriesIn(value, event).flatMap((entry) => {
    if (!isOwnHook(entry)) return [entry]
    const hooks = othersIn(entry)
    return isJsonObject(entry) && hooks.length > 0 ? [{ ...entry, hooks }] : []
  })
  return others.flatMap((entry) => {
    const matcher = isJsonObject(entry) && typeof entry['matcher'] === 'string' ? entry['matcher'] : ''
    const by = wordsOf(entry)
    return tools.filter((tool) => matches(matcher, tool)).map((tool) => ({ tool, by }))
  })
}

function matches(matcher: string, tool: string): boolean {
  if (matcher === '' || matcher === '*') return true
  try {
    return new RegExp(`^(?:${matcher})$`).test(tool)
  } catch {
    // An app that can't read it may take it as a name.
    return matcher === tool
  }
}

function wordsOf(entry: unknown): string {
  const hooks = isJsonObject(entry) && Array.isArray(entry['hooks']) ? entry['hooks'] : [entry]
  const names = hooks.flatMap((hook: unknown) => {
    if (!isJsonObject(hook)) return []
    const word = hook['command'] ?? hook['url'] ?? hook['tool'] ?? hook['type']
    return typeof word === 'string' ? [word.slice(0, 80)] : []
  })
  return names.join(', ') || 'another hook'
}

/** Takes out Sluice's entries only. `created`: as noted when they were put in. */
export function planHooksRemoval(
  spec: HookSpec,
  path: string,
  files: ClientFiles,
  created: readonly string[],
): HookPlan {
  const plain = { path, created: [], taken: [] }
  if (!files.facts(path)) return { ...plain, file: undefined, bytes: undefined, isChange: false }
  if (spec.kind === 'own') {
    const file = loadOwnFile(path, files)
    return { ...plain, file, bytes: undefined, isChange: file !== undefined && isOwnText(file.text) }
  }
  const file = loadClientFile(path, files)
  const value = file.parsed.value
  const hooks = hooksIn(value) ?? {}
  const emptied: string[] = []
  const edits = Object.keys(hooks).flatMap((event): ContainerEdit[] => {
    const entries = entriesIn(value, event)
    if (!entries.some(isOwnHook)) return []
    const isCreated = ['file', 'hooks', event].some((what) => created.includes(what))
    if (isCreated && entries.every((entry) => isOwnHook(entry) && othersIn(entry).length === 0)) {
      emptied.push(event)
      return []
    }
    return [...removals(value, event)]
  })
  const isAllOwn = emptied.length > 0 && emptied.length === Object.keys(hooks).length
  const goes = isAllOwn && (created.includes('file') || created.includes('hooks'))
  const others = isJsonObject(value) ? Object.keys(value).filter((key) => key !== 'hooks') : []
  const base = Object.keys(spec.base)
  if (goes && created.includes('file') && others.every((key) => base.includes(key)))
    return { ...plain, file, bytes: undefined, isChange: true }
  if (goes) edits.push({ path: [], replace: new Map([['hooks', []]]) })
  else if (emptied.length > 0)
    edits.push({ path: ['hooks'], replace: new Map(emptied.map((event) => [event, []])) })
  const text = editConfigText(file, file.format, edits).text
  return { ...plain, file, bytes: encodeLike(file, text), isChange: edits.length > 0 }
}

const isOwnText = (text: string): boolean =>
  text.startsWith('// Written by `sluice wrap') ||
  (() => {
    try {
      const hooks = hooksIn(JSON.parse(text))
      return hooks !== undefined && Object.values(hooks).flat().every(isOwnHook)
    } catch {
      return false
    }
  })()

/** A program or a list: not a configuration whose parts are edited. */
function loadOwnFile(path: string, files: ClientFiles): LoadedFile | undefined {
  const facts = files.facts(path)
  if (!facts) return undefined
  const bytes = files.read(path)
  const common = { path, target: files.realPath(path), facts, bytes, hash: hashOf(bytes) }
  return { ...common, text: decodeFile(path, bytes), format: jsonFormat, parsed: jsonFormat.parse('{}') }
}

const foreignFile = (path: string): SluiceError =>
  new SluiceError(
    'CLIENT_FILE_INVALID',
    `${path} is there and isn't Sluice's, so nothing was changed. Move it away, then try again.`,
  )

const oddFile = (path: string): SluiceError =>
  new SluiceError(
    'CLIENT_FILE_INVALID',
    `${path} has hooks in a form that isn't known, so nothing was changed.`,
  )
