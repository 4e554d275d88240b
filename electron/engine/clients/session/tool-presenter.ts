import { presentTool } from '../../tools/present-tool.ts'
import { stringIn, type JsonObject } from '../../protocol/json-rpc.ts'
import { inTurns } from '../../ground/steps.ts'
import type { SessionDependencies } from './session-dependencies.ts'

export class ToolPresenter {
  readonly #deps: SessionDependencies
  /** Name as introduced. */
  readonly #client: () => string
  /** Changing lists destroy the client's prompt cache. */
  readonly #offersGoal = new Map<string, boolean>()
  readonly #listed = new Map<string, Set<string>>()

  constructor(deps: SessionDependencies, client: () => string) {
    this.#deps = deps
    this.#client = client
  }

  startList(serverId: string): void {
    this.#listed.set(serverId, new Set())
  }

  /** Undefined if hidden. */
  next(serverId: string, tool: string, cleaned: JsonObject): JsonObject | undefined {
    return this.#present(serverId, tool, cleaned, this.#listed.get(serverId))
  }

  /** Yields to other work. */
  async all(serverId: string, tools: readonly JsonObject[], how: 'next' | 'alone'): Promise<JsonObject[]> {
    const shown = await inTurns(tools, (tool) =>
      this[how](serverId, stringIn(tool, 'name'), this.#deps.cleanDefinition(serverId, tool)),
    )
    return shown.filter((tool) => tool !== undefined)
  }

  /** Without hidden text. */
  async cleaned(serverId: string, items: readonly JsonObject[]): Promise<JsonObject[]> {
    return inTurns(items, (item) => this.#deps.cleanDefinition(serverId, item))
  }

  alone(serverId: string, tool: string, cleaned: JsonObject): JsonObject | undefined {
    return this.#present(serverId, tool, cleaned, undefined)
  }

  #present(
    serverId: string,
    tool: string,
    cleaned: JsonObject,
    listed: Set<string> | undefined,
  ): JsonObject | undefined {
    const policy = this.#deps.toolPolicy(serverId, tool)
    if (policy.hidden) return undefined
    const offersGoal = this.#goalFor(serverId, tool, policy.compression.goalParameter)
    return presentTool(cleaned, policy, { offersGoal, client: this.#client(), listed: listed ?? new Set() })
  }

  #goalFor(serverId: string, tool: string, wanted: 'auto' | 'always' | 'never'): boolean {
    const key = `${serverId}\n${tool}`
    const decided = this.#offersGoal.get(key)
    if (decided !== undefined) return decided
    const offers = wanted === 'always' || (wanted === 'auto' && this.#deps.hasLargeResults(serverId, tool))
    this.#offersGoal.set(key, offers)
    return offers
  }
}
