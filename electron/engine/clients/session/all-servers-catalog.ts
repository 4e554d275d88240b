import { messageOf } from '../../ground/errors.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { publicName } from './public-names.ts'
import { publicResult, publicTool } from './public-uris.ts'
import { inTurns } from '../../ground/steps.ts'
import { hasCapability, listAll } from './list-all.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import type { Patience } from './patience.ts'
import { blockedTool, type SessionOffers } from './session-offers.ts'
import type { ToolPresenter } from './tool-presenter.ts'
import type { PinnedKind } from '../../approvals/pinned-item.ts'

interface KnownTool {
  readonly serverId: string
  readonly tool: string
  readonly definition: JsonObject
}

const kindOfField: Readonly<Record<string, PinnedKind>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'template',
}

export class AllServersCatalog {
  readonly #deps: SessionDependencies
  readonly #tools = new Map<string, KnownTool>()
  readonly #prompts = new Map<string, { serverId: string; prompt: string }>()
  readonly #resources = new Map<string, Set<string>>()
  readonly #lazy = new Map<string, JsonObject>()

  readonly #offers: SessionOffers
  readonly #patience: Patience<UpstreamLink>
  readonly #presenter: ToolPresenter
  #presenting: Promise<unknown> = Promise.resolve()
  /** Sluice's definitions. */
  readonly #own = new WeakSet<JsonObject>()

  constructor(
    deps: SessionDependencies,
    offers: SessionOffers,
    patience: Patience<UpstreamLink>,
    presenter: ToolPresenter,
  ) {
    this.#deps = deps
    this.#presenter = presenter
    this.#offers = offers
    this.#patience = patience
  }

  tool(name: string): KnownTool | undefined {
    return this.#tools.get(name)
  }

  prompt(name: string): { serverId: string; prompt: string } | undefined {
    return this.#prompts.get(name)
  }

  /** For clients that found a server's own URI in a text. */
  serversWith(uri: string): readonly string[] {
    return [...(this.#resources.get(uri) ?? [])]
  }

  originals(): JsonObject[] {
    return [...this.#tools.values()].map((known) => known.definition)
  }

  lazyTools(): readonly JsonObject[] {
    return [...this.#lazy.values()]
  }

  forget(serverId: string): void {
    for (const [name, known] of this.#tools) {
      if (known.serverId !== serverId) continue
      this.#tools.delete(name)
      this.#lazy.delete(name)
    }
  }

  async listTools(links: readonly UpstreamLink[]): Promise<JsonObject[]> {
    const offering = links.filter((link) => hasCapability(link, 'tools'))
    const lists = await this.#fetch(offering, 'tools/list', 'tools')
    const shown: JsonObject[][] = []
    for (const [index, link] of offering.entries())
      shown.push(await this.#presented(link.serverId, lists[index] ?? []))
    return shown.flat()
  }

  /** Omits and logs failing servers. */
  async list(links: readonly UpstreamLink[], method: string, field: string): Promise<JsonObject[]> {
    const lists = await this.#fetch(links, method, field)
    const published: JsonObject[][] = []
    for (const [index, { serverId }] of links.entries())
      published.push(this.#published(serverId, method, field, await this.#cleaned(serverId, lists[index])))
    return published.flat()
  }

  /** A blocked server has just the tool that explains it; a late one nothing. */
  #fetch(
    links: readonly UpstreamLink[],
    method: string,
    field: string,
  ): Promise<(JsonObject[] | undefined)[]> {
    return this.#patience.all(links, method, (link) =>
      this.#read(link, method, field).catch((error: unknown) => {
        const { serverId: server } = link
        this.#deps.logger.warn('list not available', { server, method, error: messageOf(error) })
        return []
      }),
    )
  }

  async #read(link: UpstreamLink, method: string, field: string): Promise<JsonObject[]> {
    const offer = await this.#offers.of(link)
    if (offer.blocked !== undefined) return field === 'tools' ? [this.#blocked(offer.blocked)] : []
    if (field === 'tools') await offer.retryTools()
    const items = (field === 'tools' ? offer.takeTools() : undefined) ?? (await listAll(link, method, field))
    const allowed = await offer.allowed(kindOfField[field] ?? 'tool', items)
    if (allowed.length < items.length) this.#offers.markStale(link)
    const why = field === 'tools' && allowed.length === 0 ? await offer.whyNoTools(items) : undefined
    return why === undefined ? allowed : [this.#blocked(why)]
  }

  #blocked(why: string): JsonObject {
    const own = blockedTool(why)
    this.#own.add(own)
    return own
  }

  /** Sequential: slim lists depend on earlier ones. */
  #presented(serverId: string, tools: readonly JsonObject[]): Promise<JsonObject[]> {
    const presented = this.#presenting.then(() => this.#present(serverId, tools))
    this.#presenting = presented.catch(() => {})
    return presented
  }

  /** Replaces a server's entries only once the new list is complete. */
  async #present(serverId: string, tools: readonly JsonObject[]): Promise<JsonObject[]> {
    this.#presenter.startList(serverId)
    const known = new Map<string, KnownTool>()
    const lazy = new Map<string, JsonObject>()
    const shown = await inTurns(tools, (definition): JsonObject | undefined => {
      const tool = String(definition['name'])
      const name = publicName(serverId, tool)
      // A duplicate or another server's name: the first keeps it.
      if (known.has(name) || (this.#tools.get(name)?.serverId ?? serverId) !== serverId) return undefined
      known.set(name, { serverId, tool, definition })
      if (this.#own.has(definition)) return { ...definition, name }
      const cleaned = publicTool(serverId, this.#deps.cleanDefinition(serverId, definition))
      const isLazy = this.#deps.toolPolicy(serverId, tool).toolList.lazy
      const found = this.#presenter[isLazy ? 'alone' : 'next'](serverId, tool, cleaned)
      if (found === undefined) return undefined
      if (!isLazy) return { ...found, name }
      lazy.set(name, { ...found, name })
      return undefined
    })
    this.forget(serverId)
    for (const [name, tool] of known) this.#tools.set(name, tool)
    for (const [name, tool] of lazy) this.#lazy.set(name, tool)
    return shown.filter((tool) => tool !== undefined)
  }

  #knowResources(serverId: string, items: readonly JsonObject[]): void {
    for (const servers of this.#resources.values()) servers.delete(serverId)
    for (const { uri } of items) {
      if (typeof uri !== 'string') continue
      this.#resources.set(uri, (this.#resources.get(uri) ?? new Set()).add(serverId))
    }
  }

  #cleaned(serverId: string, items: readonly JsonObject[] = []): Promise<JsonObject[]> {
    return this.#presenter.cleaned(serverId, items)
  }

  #published(serverId: string, method: string, field: string, items: readonly JsonObject[]): JsonObject[] {
    if (field === 'prompts') {
      return items.map((item) => {
        const prompt = String(item['name'])
        const name = publicName(serverId, prompt)
        this.#prompts.set(name, { serverId, prompt })
        return { ...item, name }
      })
    }
    if (field === 'resources') this.#knowResources(serverId, items)
    const result = publicResult(serverId, method, { [field]: items })
    return Array.isArray(result[field]) ? (result[field] as JsonObject[]) : []
  }
}
