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
    listed?: Set<string>,
  ): JsonObject | undefined
  tokens(definition: JsonObject | undefined): number
  contextTokens(serverId: string, form?: Pick<ToolPolicy['toolList'], 'slim' | 'lazy'>): number | undefined
  waiting(serverId: string): number
  approvedTools(serverId: string): number | undefined
  /**
   * What `make` returned, while the definitions, the settings and the sizes of results are the same: reading and
   * counting 1,200 tools takes a second. Undefined if unseen.
   */
  remember<Value>(
    serverId: string,
    name: string,
    make: (tools: readonly KnownTool[]) => Value,
  ): Value | undefined
}

interface Remembered {
  readonly settings: Settings
  readonly decisions: number
  readonly tools: readonly string[]
  readonly large: string
  readonly value: unknown
}

/** Four forms of 1,200 tools are nearly 5,000. */
const REMEMBERED_COUNTS = 20_000

export function createDefinitions(options: ScreensOptions): Definitions {
  const { approvals, settings } = options
  const counts = new Map<string, number>()
  const remembered = new Map<string, Remembered>()

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
    const hash = createHash('sha256').update(text).digest('base64')
    const known = counts.get(hash)
    if (known !== undefined) return known
    if (counts.size >= REMEMBERED_COUNTS) counts.clear()
    const counted = countTokens(text)
    counts.set(hash, counted)
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
    listed = new Set<string>(),
  ) => {
    if (policy.hidden) return undefined
    return presentTool(options.cleanDefinition(serverId, definition), policy, {
      offersGoal: offersGoalAs(policy, serverId, tool),
      client: '',
      listed,
    })
  }
  const remember: Definitions['remember'] = (serverId, name, make) => {
    const { current } = settings
    const decisions = approvals.store?.version() ?? 0
    const key = JSON.stringify([serverId, name])
    const largeOf = (tools: readonly string[]): string =>
      tools.filter((tool) => options.hasLargeResults(serverId, tool)).join('\n')
    const before = remembered.get(key)
    if (
      before?.settings === current &&
      before.decisions === decisions &&
      before.large === largeOf(before.tools)
    )
      // Kept under the name of what made it.
      return before.value as ReturnType<typeof make>
    const known = toolsOf(serverId)
    if (!known) return undefined
    const tools = known.map(({ tool }) => tool)
    const large = largeOf(tools)
    const value = make(known)
    remembered.set(key, { settings: current, decisions, tools, large, value })
    return value
  }
  return {
    toolsOf,
    shown,
    tokens,
    remember,
    approvedTools: (serverId) => remember(serverId, 'approved', (tools) => approvedOf(tools).length),
    contextTokens: (serverId, form) =>
      remember(serverId, `context ${JSON.stringify(form)}`, (tools) => {
        const approved = approvedOf(tools)
        const { toolList } = resolveServerPolicy(settings.current, serverId)
        if ((form ?? toolList).lazy)
          return lazyDefinitions(approved.map(({ definition }) => definition)).reduce(
            (sum, own) => sum + tokens(own),
            0,
          )
        const listed = new Set<string>()
        return approved.reduce((sum, known) => {
          const policy = resolveToolPolicy(settings.current, serverId, known.tool)
          const asForm = form ? { ...policy, toolList: { ...policy.toolList, ...form } } : policy
          return sum + tokens(shown(serverId, known, asForm, listed))
        }, 0)
      }),
    waiting: (serverId) => {
      const id = identity(serverId)
      const pending = id === undefined ? [] : (approvals.store?.pendingOf(serverId, id) ?? [])
      return pending.filter(({ deniedAt }) => deniedAt === undefined).length
    },
  }
}

const approvedOf = (tools: readonly KnownTool[]): KnownTool[] =>
  tools.filter(({ approval }) => approval === 'approved')

function parse(definition: string): JsonObject {
  const value: unknown = JSON.parse(definition)
  return isJsonObject(value) ? value : {}
}
