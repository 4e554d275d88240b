import { createHash } from 'node:crypto'
import { identityOf } from '../approvals/launch.ts'
import { countTokens } from '../text/tokens/count-tokens.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { lazyDefinitions } from '../clients/session/lazy-tools.ts'
import { resolveServerPolicy, resolveToolPolicy } from '../settings/resolve-policy.ts'
import { presentTool } from '../tools/present-tool.ts'
import type { Settings, ToolPolicy } from '../../../shared/settings.ts'
import type { ScreensOptions } from './screens-options.ts'

export interface KnownTool {
  readonly tool: string
  readonly definition: JsonObject
  readonly approval: 'approved' | 'waiting' | 'denied'
}

/** From the last look, so that viewing starts no server. */
export interface Definitions {
  /** Undefined if unseen. */
  toolsOf(serverId: string): readonly KnownTool[] | undefined
  /** Undefined if hidden. */
  shown(
    serverId: string,
    known: Pick<KnownTool, 'tool' | 'definition'>,
    policy?: ToolPolicy,
    heard?: Set<string>,
  ): JsonObject | undefined
  tokens(definition: JsonObject | undefined): number
  contextTokens(serverId: string, form?: Pick<ToolPolicy['toolList'], 'slim' | 'lazy'>): number | undefined
  waiting(serverId: string): number
}

/** Four forms of 1,200 tools are nearly 5,000. */
const REMEMBERED_COUNTS = 20_000

export function createDefinitions(options: ScreensOptions): Definitions {
  const { approvals, settings } = options
  const counts = new Map<string, number>()
  /** By server and form: making 1,200 tools slim takes a second. */
  const lists = new Map<
    string,
    { readonly settings: Settings; readonly of: string; readonly tokens: number }
  >()

  const identity = (serverId: string): string | undefined => {
    const server = settings.current.servers[serverId]
    return server && identityOf(server)
  }
  const toolsOf = (serverId: string): readonly KnownTool[] | undefined => {
    const id = identity(serverId)
    const { store } = approvals
    if (id === undefined || !store) return undefined
    const pins = store.pinsOf(id)
    const pending = store.pending(id)
    if (pins.length === 0 && pending.length === 0) return undefined
    const tools = new Map<string, KnownTool>()
    for (const { kind, name, definition } of pins) {
      if (kind === 'tool')
        tools.set(name, { tool: name, definition: parse(definition), approval: 'approved' })
    }
    for (const { kind, name, definition, change, deniedAt } of pending) {
      if (kind !== 'tool') continue
      if (change === 'removed') tools.delete(name)
      else {
        const approval = deniedAt === undefined ? 'waiting' : 'denied'
        tools.set(name, { tool: name, definition: parse(definition), approval })
      }
    }
    return [...tools.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1))
  }
  const tokens = (definition: JsonObject | undefined): number => {
    if (definition === undefined) return 0
    const text = JSON.stringify(definition)
    const known = counts.get(text)
    if (known !== undefined) return known
    if (counts.size >= REMEMBERED_COUNTS) counts.clear()
    const counted = countTokens(text)
    counts.set(text, counted)
    return counted
  }
  const offersGoalAs = (policy: ToolPolicy, serverId: string, tool: string): boolean => {
    const { goalParameter } = policy.compression
    return goalParameter === 'always' || (goalParameter === 'auto' && options.hasLargeResults(serverId, tool))
  }
  const shown: Definitions['shown'] = (
    serverId,
    { tool, definition },
    policy = resolveToolPolicy(settings.current, serverId, tool),
    heard = new Set<string>(),
  ) => {
    if (policy.hidden) return undefined
    return presentTool(options.cleanDefinition(serverId, definition), policy, {
      offersGoal: offersGoalAs(policy, serverId, tool),
      client: '',
      heard,
    })
  }
  return {
    toolsOf,
    shown,
    tokens,
    contextTokens: (serverId, form) => {
      const approved = toolsOf(serverId)?.filter(({ approval }) => approval === 'approved')
      if (!approved) return undefined
      if ((form ?? resolveServerPolicy(settings.current, serverId).toolList).lazy)
        return lazyDefinitions(approved.map(({ definition }) => definition)).reduce(
          (sum, own) => sum + tokens(own),
          0,
        )
      const current = settings.current
      const made = approved.map((known) => {
        const policy = resolveToolPolicy(current, serverId, known.tool)
        return { known, policy: form ? { ...policy, toolList: { ...policy.toolList, ...form } } : policy }
      })
      const hash = createHash('sha256')
      for (const { known, policy } of made)
        hash.update(JSON.stringify([known.definition, offersGoalAs(policy, serverId, known.tool)]))
      const of = hash.digest('hex')
      const key = JSON.stringify([serverId, form])
      const before = lists.get(key)
      if (before?.settings === current && before.of === of) return before.tokens
      const heard = new Set<string>()
      const sum = made.reduce(
        (total, { known, policy }) => total + tokens(shown(serverId, known, policy, heard)),
        0,
      )
      lists.set(key, { settings: current, of, tokens: sum })
      return sum
    },
    waiting: (serverId) => {
      const id = identity(serverId)
      const pending = id === undefined ? [] : (approvals.store?.pendingOf(serverId, id) ?? [])
      return pending.filter(({ deniedAt }) => deniedAt === undefined).length
    },
  }
}

function parse(definition: string): JsonObject {
  const value: unknown = JSON.parse(definition)
  return isJsonObject(value) ? value : {}
}
