import { listAll, hasCapability } from './server-roster.ts'
import type { Offer, PinnedKind } from '../approvals/pinned-item.ts'
import type { Verdict } from '../approvals/approval-gate.ts'
import { SluiceError } from '../errors.ts'
import { stringIn, isJsonObject, RpcError, type JsonObject } from '../protocol/json-rpc.ts'
import type { UpstreamLink } from '../upstream/link.ts'

/** A list older than this is read again before a call: servers may change without a word. */
const OLDEST_LIST_MS = 60_000
/** After which what could not be written down is looked at again. */
const PROVISIONAL_MS = 1_000
/** A list older than this is no answer to a client that asks for one. */
const OLDEST_TAKEN_MS = 5_000
/** So long after a server said that its lists have changed, they are read though nobody calls anything. */
const CHECK_AFTER_MS = 200

/** What sessions need of approvals. */
export interface Approvals {
  check(serverId: string, offer: Offer): Verdict
  /** Before `check`: waits for another process that is writing, without holding up this one. */
  settled(): Promise<void>
  /** Changes when an earlier verdict may no longer hold. */
  version(): number
  onChange(listener: () => void): () => void
  waiting(identity: string): Promise<Waiting>
  /** Approves exactly these, in the name of the person who was asked. Returns how many of them still waited. */
  approve(identity: string, hashes: readonly string[], by: string): number
}

/** What waits for the user's word on one server: in words, by hash, and what detectors notice in it. */
export interface Waiting {
  readonly summary: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}

/** What one connected server offers now, and what of it its user has approved. */
export class ApprovedOffer {
  readonly #link: UpstreamLink
  readonly #approvals: Approvals
  readonly #now: () => number
  #offer: Offer
  #verdict: Verdict
  #version: number
  #readAt: number
  #checkedAt: number
  /** How often its lists may have changed, and how many of these changes were read. */
  #changes = 0
  #changesRead = 0
  /** Whether a client's list may be answered with what was read last: once, and before any call. */
  #mayList = true
  /** How long reading took last. */
  #readMs = 0
  #isCheckDue = false
  #reading: Promise<void> | undefined
  /** Links that approved tools returned in this session: they may be read though no list holds them. */
  readonly #linked = new Set<string>()

  static async read(link: UpstreamLink, approvals: Approvals, now: () => number): Promise<ApprovedOffer> {
    const offer = await readOffer(link)
    await approvals.settled()
    return new ApprovedOffer(link, approvals, now, offer)
  }

  constructor(link: UpstreamLink, approvals: Approvals, now: () => number, offer: Offer) {
    this.#link = link
    this.#approvals = approvals
    this.#now = now
    this.#offer = offer
    // Before the check: a decision that comes between the two must be noticed later.
    this.#version = approvals.version()
    this.#verdict = approvals.check(link.serverId, offer)
    this.#readAt = this.#checkedAt = now()
  }

  /**
   * The server says, or may be thought, to have changed its lists. They are read before the next call, and soon in any
   * case, so that the user hears of it; less soon where reading takes long.
   */
  markStale(): void {
    this.#changes++
    if (this.#isCheckDue) return
    this.#isCheckDue = true
    const check = (): void => {
      this.#isCheckDue = false
      // Whoever calls next meets the same error, and is told of it.
      this.#refresh().catch(() => {})
    }
    setTimeout(check, CHECK_AFTER_MS + 4 * this.#readMs).unref()
  }

  get identity(): string {
    return this.#current.identity
  }

  /** Why nothing of the server may pass; undefined where it may. */
  get blocked(): string | undefined {
    return this.#current.blocked
  }

  /** Whether anything of it waits for the user's word. */
  get waits(): boolean {
    return this.#current.waits
  }

  allows(kind: PinnedKind, definition: JsonObject): boolean {
    return this.#current.blocked === undefined && this.#current.allows(kind, definition)
  }

  reason(kind: PinnedKind, name: string): string {
    return this.#current.blocked ?? this.#current.reason(kind, name)
  }

  /** The live definition of an approved tool; undefined for any other name. */
  async approvedTool(name: string): Promise<JsonObject | undefined> {
    // A call may change what its server lists.
    this.#mayList = false
    if (!this.#isFresh) await this.#refresh()
    const tool = this.#offer.tools.find((each) => each['name'] === name)
    return tool && this.allows('tool', tool) ? tool : undefined
  }

  /**
   * All tools as the server listed them a moment ago, where no client has had that list yet: clients list right after they
   * introduced themselves, and the server was asked for it then. Undefined where it must be asked again.
   */
  takeTools(): readonly JsonObject[] | undefined {
    const mayList = this.#mayList && this.#isFresh && this.#now() - this.#readAt < OLDEST_TAKEN_MS
    this.#mayList = false
    return mayList ? this.#offer.tools : undefined
  }

  /** The live definitions of all approved tools. */
  async approvedTools(): Promise<JsonObject[]> {
    await this.#refresh()
    return this.#offer.tools.filter((tool) => this.allows('tool', tool))
  }

  async approvedPrompt(name: string): Promise<boolean> {
    await this.#refresh()
    const prompt = this.#offer.prompts.find((each) => each['name'] === name)
    return prompt !== undefined && this.allows('prompt', prompt)
  }

  /** A resource that is listed, fits a template, or was linked to by a tool, all of them approved. */
  async approvedResource(uri: string): Promise<boolean> {
    await this.#refresh()
    if (this.#current.blocked !== undefined) return false
    const listed = this.#offer.resources.find((each) => each['uri'] === uri)
    if (listed) return this.allows('resource', listed)
    if (this.#linked.has(uri)) return true
    const templates = this.#offer.templates.filter((template) => this.allows('template', template))
    return templates.length > 0 && (await matchesAny(templates, uri))
  }

  /** Remembers the resource links in an approved tool's result. */
  learnLinks(result: JsonObject): void {
    if (!Array.isArray(result['content'])) return
    for (const block of result['content']) {
      if (isJsonObject(block) && block['type'] === 'resource_link') this.#linked.add(stringIn(block, 'uri'))
    }
  }

  #check(): void {
    this.#verdict = this.#approvals.check(this.#link.serverId, this.#offer)
    this.#checkedAt = this.#now()
  }

  get #current(): Verdict {
    const version = this.#approvals.version()
    const isOld = this.#verdict.isProvisional && this.#now() - this.#checkedAt >= PROVISIONAL_MS
    if (version !== this.#version || isOld) {
      this.#version = version
      this.#check()
    }
    return this.#verdict
  }

  /** Why what a completion is for may not pass; undefined where it may, or where the server lists no such thing. */
  async refusalOf(ref: unknown): Promise<string | undefined> {
    await this.#refresh()
    if (!isJsonObject(ref)) return undefined
    const isPrompt = ref['type'] === 'ref/prompt'
    const [kind, field] = isPrompt ? (['prompt', 'name'] as const) : (['template', 'uriTemplate'] as const)
    const name = stringIn(ref, isPrompt ? 'name' : 'uri')
    const listed = (isPrompt ? this.#offer.prompts : this.#offer.templates).find(
      (each) => each[field] === name,
    )
    return listed && !this.allows(kind, listed) ? this.reason(kind, name) : undefined
  }

  get #isFresh(): boolean {
    return (
      this.#reading === undefined &&
      this.#changesRead === this.#changes &&
      this.#now() - this.#readAt < OLDEST_LIST_MS
    )
  }

  /** Whoever comes while the lists are read waits for them, too: the old ones may allow what the new ones don't. */
  async #refresh(): Promise<void> {
    await this.#reading
    if (this.#isFresh) return
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  async #read(): Promise<void> {
    const [changes, at] = [this.#changes, this.#now()]
    try {
      this.#offer = await readOffer(this.#link)
    } catch (error) {
      throw new SluiceError(
        'CALL_REFUSED',
        `Server "${this.#link.serverId}" did not say what it offers now (${codeOf(error)}), so nothing can be called. Try again.`,
        { cause: error },
      )
    } finally {
      this.#readMs = this.#now() - at
    }
    await this.#approvals.settled()
    this.#changesRead = changes
    this.#readAt = at
    this.#mayList = true
    this.#version = this.#approvals.version()
    this.#check()
  }
}

/** Not its message: that may be the server's own words, which nobody has looked at. */
export const codeOf = (error: unknown): string =>
  error instanceof RpcError || error instanceof SluiceError ? `error ${error.code}` : 'an unexpected error'

/** All lists of a server, whole. */
export async function readOffer(link: UpstreamLink): Promise<Offer> {
  const list = (capability: string, method: string, field: string): Promise<JsonObject[]> =>
    hasCapability(link, capability) ? listAll(link, method, field) : Promise.resolve([])
  // A server that can't list what it announced keeps its tools: what was not seen is simply not approved.
  const [tools, prompts, resources, templates] = await Promise.all([
    list('tools', 'tools/list', 'tools'),
    list('prompts', 'prompts/list', 'prompts').catch(() => []),
    list('resources', 'resources/list', 'resources').catch(() => []),
    list('resources', 'resources/templates/list', 'resourceTemplates').catch(() => []),
  ])
  return {
    announced: link.announced,
    instructions: link.hello.instructions,
    tools,
    prompts,
    resources,
    templates,
  }
}

async function matchesAny(templates: readonly JsonObject[], uri: string): Promise<boolean> {
  // Loaded here, because the SDK's client is large and most servers have no templates.
  const { UriTemplate } = await import('@modelcontextprotocol/client')
  return templates.some((template) => {
    try {
      return new UriTemplate(stringIn(template, 'uriTemplate')).match(uri) !== null
    } catch {
      return false
    }
  })
}
