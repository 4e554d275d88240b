import { hash } from 'node:crypto'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { isJsonObject, stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import type { OpenLink, UpstreamLink, UpstreamRequestOptions } from '../../protocol/link.ts'
import { jobSize } from '../../work/job-size.ts'
import type { Obstacle, SharingEvidence } from '../../../../shared/api/sharing.ts'

/** Larger results aren't compared. */
const MOST_COMPARED = 20_000
const MOST_ANSWERS = 500
/** A process that serves all can't tell whose request outside these is. */
const CALLS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
])
const LISTS: ReadonlySet<string> = new Set(['tools/list', 'resources/list', 'prompts/list'])

/** A process of one client. */
interface Own {
  inFlight: number
  /** By method. */
  readonly lists: Map<string, string>
}

interface Answer {
  readonly of: Own
  readonly hash: string
  /** Calls that may have changed something, when it was given. */
  readonly writes: number
}

interface Known {
  readonly open: Set<Own>
  readonly obstacles: Map<Obstacle, number>
  /** By tool and arguments, oldest first. */
  readonly answers: Map<string, Answer>
  /** Tools that answer one client differently, too, such as a clock. */
  readonly volatile: Set<string>
  readonly different: Map<string, number>
  readonly reads: Set<string>
  writes: number
  atOnce: number
  calls: number
}

export interface SharingWatch {
  /** For programs with a process for each client. */
  watch(openLink: OpenLink): OpenLink
  /** Undefined until two clients used it at once. */
  of(serverId: string): SharingEvidence | undefined
  forget(serverId: string): void
}

/**
 * What would have gone wrong if clients had shared one process, counted while two or more have their own. A single
 * client's calls cost nothing.
 */
export function createSharingWatch(): SharingWatch {
  const servers = new Map<string, Known>()
  const knownOf = (id: string): Known => {
    const known = servers.get(id) ?? nothing()
    servers.set(id, known)
    return known
  }
  return {
    watch: (openLink) => async (options) => {
      const { serverId, settings, events } = options
      if (settings.command === undefined || settings.shared) return openLink(options)
      const own: Own = { inFlight: 0, lists: new Map() }
      const known = knownOf(serverId)
      const leave = (): void => void known.open.delete(own)
      const link = await openLink({
        ...options,
        events: {
          ...events,
          onRequest: (method, ...rest) => {
            if (method === 'roots/list') note(known, 'folders')
            else if (own.inFlight === 0) note(known, 'outside-calls')
            return events.onRequest(method, ...rest)
          },
          onLost: (error) => {
            leave()
            events.onLost(error)
          },
        },
      })
      known.open.add(own)
      known.atOnce = Math.max(known.atOnce, known.open.size)
      return watched(link, known, own, leave)
    },
    of: (serverId) => {
      const known = servers.get(serverId)
      if (!known || known.atOnce < 2) return undefined
      const answers = [...known.different]
        .filter(([tool]) => !known.volatile.has(tool))
        .reduce((sum, [, times]) => sum + times, 0)
      const obstacles = [...known.obstacles, ...(answers > 0 ? [['answers', answers] as const] : [])]
      return {
        calls: known.calls,
        atOnce: known.atOnce,
        obstacles: obstacles.map(([what, times]) => ({ what, times })),
      }
    },
    forget: (serverId) => void servers.delete(serverId),
  }
}

const nothing = (): Known => ({
  open: new Set(),
  obstacles: new Map(),
  answers: new Map(),
  volatile: new Set(),
  different: new Map(),
  reads: new Set(),
  writes: 0,
  atOnce: 0,
  calls: 0,
})

const note = ({ obstacles }: Known, what: Obstacle): void =>
  void obstacles.set(what, (obstacles.get(what) ?? 0) + 1)

function watched(link: UpstreamLink, known: Known, own: Own, leave: () => void): UpstreamLink {
  const request = async (
    method: string,
    params: JsonObject | undefined,
    options?: UpstreamRequestOptions,
  ): Promise<JsonObject> => {
    if (method.startsWith('tasks/') || (params && 'task' in params)) note(known, 'tasks')
    if (!CALLS.has(method) && !LISTS.has(method)) return link.request(method, params, options)
    own.inFlight++
    try {
      if (known.open.size > 1 && method === 'tools/call') {
        known.calls++
        if (!known.reads.has(stringIn(params, 'name'))) known.writes++
      }
      const { writes } = known
      const result = await link.request(method, params, options)
      if (method === 'tools/list') noteReads(known, result)
      // Every list is kept: the other client may come later.
      if (LISTS.has(method) && params?.['cursor'] === undefined) compareLists(known, own, method, result)
      if (known.open.size > 1 && method === 'tools/call' && writes === known.writes)
        compareAnswers(known, own, params, result)
      return result
    } finally {
      own.inFlight--
    }
  }
  return { ...link, request, isOpen: () => link.isOpen(), close: () => link.close().finally(leave) }
}

/** What a tool says it only reads can't be the reason for a difference. */
function noteReads({ reads }: Known, { tools }: JsonObject): void {
  for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
    if (!isJsonObject(tool) || !isJsonObject(tool['annotations'])) continue
    if (tool['annotations']['readOnlyHint'] === true) reads.add(stringIn(tool, 'name'))
  }
}

function compareLists(known: Known, own: Own, method: string, result: JsonObject): void {
  const found = fingerprint(result)
  own.lists.set(method, found)
  const others = [...known.open].filter((other) => other !== own)
  if (others.some(({ lists }) => (lists.get(method) ?? found) !== found)) note(known, 'lists')
}

function compareAnswers(known: Known, own: Own, params: JsonObject | undefined, result: JsonObject): void {
  if (jobSize([params?.['arguments'], result], MOST_COMPARED + 1) > MOST_COMPARED) return
  const tool = stringIn(params, 'name')
  const key = fingerprint([tool, params?.['arguments']])
  const { writes, answers } = known
  const [before, found] = [answers.get(key), fingerprint([result['content'], result['structuredContent']])]
  if (before?.writes === writes && before.hash !== found) {
    if (before.of === own) known.volatile.add(tool)
    else if (known.open.has(before.of)) known.different.set(tool, (known.different.get(tool) ?? 0) + 1)
  }
  answers.delete(key)
  answers.set(key, { of: own, hash: found, writes })
  const [oldest] = answers.keys()
  if (answers.size > MOST_ANSWERS && oldest !== undefined) answers.delete(oldest)
}

const fingerprint = (value: unknown): string => hash('sha256', stringifyExact(value))
