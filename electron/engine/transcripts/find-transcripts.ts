import { existsSync, readFileSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { messageOf } from '../ground/errors.ts'
import type { Machine } from '../ground/surroundings.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import { listOpencodeSessions } from './opencode.ts'
import type { TranscriptApp, TranscriptSource } from './transcript.ts'

export interface FoundTranscripts {
  readonly sources: readonly TranscriptSource[]
  /** Places that exist and couldn't be read. */
  readonly problems: readonly {
    readonly app: TranscriptApp
    readonly path: string
    readonly message: string
  }[]
}

/** Where each app keeps its sessions; undefined: it keeps none on this machine. */
const places: Readonly<Record<TranscriptApp, (machine: Machine) => string>> = {
  'claude-code': ({ env, homeDir }) => join(env['CLAUDE_CONFIG_DIR'] || join(homeDir, '.claude'), 'projects'),
  codex: ({ env, homeDir }) => join(env['CODEX_HOME'] || join(homeDir, '.codex'), 'sessions'),
  'gemini-cli': ({ env, homeDir }) => join(env['GEMINI_CLI_HOME'] || homeDir, '.gemini', 'tmp'),
  opencode: ({ env, homeDir }) =>
    env['OPENCODE_DB'] ||
    join(env['XDG_DATA_HOME'] || join(homeDir, '.local', 'share'), 'opencode', 'opencode.db'),
  'copilot-cli': ({ env, homeDir }) =>
    join(env['COPILOT_HOME'] || join(homeDir, '.copilot'), 'session-state'),
  'qwen-code': ({ homeDir }) => join(homeDir, '.qwen', 'projects'),
}

export interface FindOptions extends Machine {
  readonly apps: readonly TranscriptApp[]
  /** Only what changed since, in Unix milliseconds. */
  readonly since: number
}

/** In a fixed order. Looks at names, sizes and dates only, except in opencode's database. */
export function findTranscripts({ apps, since, ...machine }: FindOptions): FoundTranscripts {
  const sources: TranscriptSource[] = []
  const problems: FoundTranscripts['problems'][number][] = []
  for (const app of apps) {
    const place = places[app](machine)
    if (!existsSync(place)) continue
    try {
      const found = app === 'opencode' ? listOpencodeSessions(place) : filesOf(app, place)
      sources.push(...found.filter(({ changed, bytes }) => changed >= since && bytes > 0))
    } catch (error) {
      problems.push({ app, path: place, message: messageOf(error) })
    }
  }
  return { sources, problems }
}

/** A session's own file, where its app names it or keeps it under the session's id. */
export function findSession(
  machine: Machine,
  { app, id, path, agent }: { app: TranscriptApp; id: string; path: string; agent: string },
): TranscriptSource | undefined {
  if (path === '') {
    const place = places[app](machine)
    if (!existsSync(place)) return undefined
    const all = app === 'opencode' ? listOpencodeSessions(place) : filesOf(app, place)
    return [...all].find((source) => source.session === id || source.path.includes(id))
  }
  const agents = join(path.replace(/\.jsonl$/, ''), 'subagents', `agent-${agent}.jsonl`)
  const own = agent === '' ? undefined : sourceAt({ app, path: agents, parent: id })
  return own ?? sourceAt({ app, path })
}

function sourceAt(of: Pick<TranscriptSource, 'app' | 'path' | 'parent'>): TranscriptSource | undefined {
  const facts = factsOf(of.path)
  return facts?.isFile() ? { ...of, bytes: facts.size, changed: facts.mtimeMs } : undefined
}

type FileApp = Exclude<TranscriptApp, 'opencode'>

const finders: Readonly<
  Record<FileApp, (place: string) => Iterable<Omit<TranscriptSource, 'bytes' | 'changed'>>>
> = {
  'claude-code': function* (place) {
    for (const path of filesBelow(place, 4)) {
      if (!path.endsWith('.jsonl')) continue
      const agents = path.split(sep).lastIndexOf('subagents')
      if (agents < 0) {
        if (dirname(dirname(path)) === place) yield { app: 'claude-code', path }
      } else if (basename(path).startsWith('agent-'))
        yield { app: 'claude-code', path, parent: path.split(sep)[agents - 1] ?? '' }
    }
  },
  codex: function* (place) {
    for (const path of filesBelow(place, 4))
      if (/^rollout-.*\.jsonl$/.test(basename(path))) yield { app: 'codex', path }
  },
  'gemini-cli': function* (place) {
    const projects = geminiProjects(join(dirname(place), 'projects.json'))
    for (const path of filesBelow(place, 3)) {
      if (!/^session-.*\.jsonl?$/.test(basename(path)) || basename(dirname(path)) !== 'chats') continue
      const folder = basename(dirname(dirname(path)))
      yield { app: 'gemini-cli', path, project: projects.get(folder) ?? folder }
    }
  },
  'copilot-cli': function* (place) {
    for (const path of filesBelow(place, 2))
      if (basename(path) === 'events.jsonl') yield { app: 'copilot-cli', path }
  },
  'qwen-code': function* (place) {
    for (const path of filesBelow(place, 3))
      if (path.endsWith('.jsonl') && basename(dirname(path)) === 'chats') yield { app: 'qwen-code', path }
  },
}

function* filesOf(app: FileApp, place: string): Generator<TranscriptSource> {
  for (const found of finders[app](place)) {
    const facts = factsOf(found.path)
    if (facts) yield { ...found, bytes: facts.size, changed: facts.mtimeMs }
  }
}

/** A file may end while we look. */
const factsOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** Follows no link, so that nothing outside the app's own folder is read. */
function* filesBelow(folder: string, depth: number): Generator<string> {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return
  }
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of sorted) if (entry.isFile()) yield join(folder, entry.name)
  if (depth === 1) return
  for (const entry of sorted) if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), depth - 1)
}

/** Folder names by working folder. */
function geminiProjects(path: string): Map<string, string> {
  const known = new Map<string, string>()
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const projects = isJsonObject(parsed) ? parsed['projects'] : undefined
    for (const [folder, name] of Object.entries(isJsonObject(projects) ? projects : {}))
      if (typeof name === 'string') known.set(name, folder)
  } catch {
    // Without it the folder's name is shown.
  }
  return known
}
