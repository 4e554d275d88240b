import type { CallOrigin, ToolCall } from '../message/call.ts'
import { appOf } from '../settings/known-apps.ts'
import type { ConversationMemory, Known } from './conversation-memory.ts'

/** In `_meta` or the environment: an app's name for its session, or for the tool use. */
const NAMES_SESSION = /(?:session|thread|conversation)_?id$/i
const NAMES_TOOL_USE = /(?:tool_?use|call)_?id$/i

export interface Found {
  readonly conversation: Known
  /** It can be no other one. */
  readonly isCertain: boolean
  /** Empty in the main context; undefined where that isn't known. */
  readonly agentId?: string
}

/**
 * Finds the conversation that makes an MCP call: named by the call itself, by the environment of the client's program,
 * or the only one of its app in its folder. Undefined where it can't be told.
 */
export function createFindConversation(memory: ConversationMemory) {
  /** By MCP session: the conversation of the last call that a tool use named. */
  const lastOf = new Map<string, Known>()
  const folders = new Map<string, string>()

  const namedIn = (app: string, values: CallOrigin['meta']): Known | undefined => {
    for (const [key, id] of Object.entries(values)) {
      const known = typeof id === 'string' && NAMES_SESSION.test(key) ? memory.find({ app, id }) : undefined
      if (known) return known
    }
    return undefined
  }
  const usedIn = (app: string, values: CallOrigin['meta']): ReturnType<ConversationMemory['ofToolUse']> => {
    for (const [key, id] of Object.entries(values)) {
      const use = typeof id === 'string' && NAMES_TOOL_USE.test(key) ? memory.ofToolUse(id) : undefined
      if (use?.known.app === app) return use
    }
    return undefined
  }
  /** The environment keeps the first id when the user begins another conversation in the same window. */
  const isLatest = (known: Known): boolean =>
    known.folder === undefined || memory.inFolder(known.app, known.folder).at(-1) === known

  const find = ({ clientName, sessionId, origin }: ToolCall): Found | undefined => {
    const app = origin && (appOf(origin.introducedAs) ?? appOf(clientName))
    if (!origin || app === undefined) return undefined
    const use = usedIn(app, origin.meta)
    const named = use?.known ?? namedIn(app, origin.meta)
    if (named) lastOf.set(sessionId, named)
    if (use) return { conversation: use.known, isCertain: true, agentId: use.agentId }
    const ofProgram = namedIn(app, origin.env ?? {})
    const certain = named ?? (ofProgram && isLatest(ofProgram) ? ofProgram : undefined)
    if (certain) return { conversation: certain, isCertain: true }
    const folder = origin.folder ?? folders.get(sessionId)
    const here = folder === undefined ? [] : memory.inFolder(app, folder)
    const [only, ...others] = here.filter((known) => memory.isLively(known))
    if (only && others.length === 0) {
      const isCertain = here.length === 1 && only.folder !== undefined
      return { conversation: only, isCertain }
    }
    const last = lastOf.get(sessionId)
    const still = last && memory.find(last)
    // A program with its own connection has one conversation at a time.
    return still && origin.folder !== undefined ? { conversation: still, isCertain: false } : undefined
  }
  return {
    find,
    /** The root of a client that tells no folder. */
    worksIn: (sessionId: string, folder: string): void => void folders.set(sessionId, folder),
    endSession: (sessionId: string): void => {
      lastOf.delete(sessionId)
      folders.delete(sessionId)
    },
  }
}
