import { hasCapability } from './list-all.ts'
import type { Offer, PinnedKind } from '../../approvals/pinned-item.ts'
import type { Verdict } from '../../approvals/verdict.ts'
import { SluiceError } from '../../ground/errors.ts'
import type { ServerHello } from '../../protocol/era.ts'
import { shownHello } from '../../protocol/introduction.ts'
import { stringIn, isJsonObject, RpcError, type JsonObject } from '../../protocol/json-rpc.ts'
import { inTurns } from '../../work/steps.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { codeOf, readOffer } from './read-offer.ts'
import type { Approvals } from './approvals.ts'

/** A list older than this is read again before a call: servers may change without a word. */
const OLDEST_LIST_MS = 60_000
/** After which what could not be written down is looked at again. */
const PROVISIONAL_MS = 1_000
/** A list older than this is no answer to a client that asks for one. */
const OLDEST_TAKEN_MS = 5_000
/** So long after a server said that its lists have changed, they are read though nobody calls anything. */
const CHECK_AFTER_MS = 200

interface CheckedOffer {
  readonly offer: Offer
  /** Of the approvals before the check. */
  readonly version: number
  readonly verdict: Verdict
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
  #isFinishing = false
  #reading: Promise<void> | undefined
  /** Links that approved tools returned in this session: they may be read though no list holds them. */
  readonly #linked = new Set<string>()
  /** What the server said of itself when it was connected to. */
  readonly #introduction: JsonObject
  #shown: { readonly verdict: Verdict; readonly hello: ServerHello } | undefined

  static async read(link: UpstreamLink, approvals: Approvals, now: () => number): Promise<ApprovedOffer> {
    const offer = await readOffer(link)
    await approvals.settled()
    await approvals.meetIntroduction(link.serverId, offer)
    // Before the check: a decision that comes between the two must be noticed later.
    const version = approvals.version()
    const verdict = await approvals.checkInTurns(link.serverId, offer)
    return new ApprovedOffer(link, approvals, now, { offer, version, verdict })
  }

  constructor(
    link: UpstreamLink,
    approvals: Approvals,
    now: () => number,
    { offer, version, verdict }: CheckedOffer,
  ) {
    this.#link = link
    this.#approvals = approvals
    this.#now = now
    this.#offer = offer
    this.#introduction = offer.introduction ?? {}
    this.#version = version
    this.#verdict = verdict
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

  /** What the server says of itself, as far as its client may hear it. */
  get hello(): ServerHello {
    const { hello, serverId } = this.#link
    const { blocked } = this
    if (this.#shown?.verdict !== this.#verdict) {
      const introduce = this.allows('introduction', this.#introduction)
      const shown = shownHello(hello, { serverId, introduce, instruct: blocked === undefined })
      this.#shown = { verdict: this.#verdict, hello: shown }
    }
    return this.#shown.hello
  }

  /** Whether the server says that it has tools at all. */
  get hasTools(): boolean {
    return hasCapability(this.#link, 'tools')
  }

  /** Whether the server failed to list its tools, so that none can be checked and none is called. */
  get lacksTools(): boolean {
    return this.#offer.unread?.has('tool') === true
  }

  /** Reads the lists again where the server failed to give its tools. */
  async retryTools(): Promise<void> {
    if (this.lacksTools) await this.#refresh(true)
  }

  allows(kind: PinnedKind, definition: JsonObject): boolean {
    return this.#current.blocked === undefined && this.#current.allows(kind, definition)
  }

  /** Those of a list that may pass; others have their turns in between where it is long. */
  async allowed(kind: PinnedKind, items: readonly JsonObject[]): Promise<JsonObject[]> {
    await inTurns(items, (item) => this.allows(kind, item))
    // By one verdict, and the one of now: a decision or a change of the server may have come in between.
    const verdict = this.#current
    return verdict.blocked === undefined ? items.filter((item) => verdict.allows(kind, item)) : []
  }

  reason(kind: PinnedKind, name: string): string {
    return this.#current.blocked ?? this.#current.reason(kind, name)
  }

  /** Whether the server listed something of this name and it may not pass, or nobody can tell. */
  isHeldBack(kind: PinnedKind, name: string): boolean {
    return this.#current.blocked !== undefined || this.#current.isHeldBack(kind, name)
  }

  /** The live definition of an approved tool; undefined for any other name. Rejects where nobody can tell. */
  async approvedTool(name: string): Promise<JsonObject | undefined> {
    // A call may change what its server lists.
    this.#mayList = false
    if (!this.#isFresh || this.#offer.unread) await this.#readTools()
    const tool = this.#offer.tools.find((each) => each['name'] === name)
    return tool && this.allows('tool', tool) ? tool : undefined
  }

  /**
   * All tools as the server listed them a moment ago, where no client has had that list yet: clients list right after they
   * introduced themselves, and the server was asked for it then. Undefined where it must be asked again.
   */
  takeTools(): readonly JsonObject[] | undefined {
    const mayList =
      !this.lacksTools && this.#mayList && this.#isFresh && this.#now() - this.#readAt < OLDEST_TAKEN_MS
    this.#mayList = false
    return mayList ? this.#offer.tools : undefined
  }

  /**
   * Why a tool without an approved definition is not called; undefined where nobody has listed one, which an interceptor
   * answers. `isFresh`: asked for by another tool, whose caller reads results only.
   */
  refusalOfTool(name: string, isFresh: boolean): string | undefined {
    return isFresh || this.isHeldBack('tool', name) ? this.reason('tool', name) : undefined
  }

  /** The live definitions of all approved tools. */
  async approvedTools(): Promise<JsonObject[]> {
    await this.#readTools()
    return this.allowed('tool', this.#offer.tools)
  }

  /** Whether a prompt is approved, or why it is held back; `unlisted` where the server lists none of that name. */
  async prompt(name: string): Promise<'approved' | 'unlisted' | { readonly refusal: string }> {
    await this.#refresh()
    const prompt = this.#offer.prompts.find((each) => each['name'] === name)
    if (prompt ? this.allows('prompt', prompt) : !this.isHeldBack('prompt', name))
      return prompt ? 'approved' : 'unlisted'
    return { refusal: this.reason('prompt', name) }
  }

  /**
   * Why a resource may not be read; undefined where it may. Servers need not list every resource, so one that no list has
   * is asked for, unless it is one of a template that is held back.
   */
  async refusalOfResource(uri: string): Promise<string | undefined> {
    await this.#refresh()
    const listed = this.#offer.resources.find((each) => each['uri'] === uri)
    if (listed ? this.allows('resource', listed) : this.#linked.has(uri)) return this.blocked
    if (listed || this.isHeldBack('resource', uri)) return this.reason('resource', uri)
    const isApproved = (template: JsonObject): boolean => this.allows('template', template)
    const held = this.#offer.templates.filter((template) => !isApproved(template))
    const behind = held.length === 0 ? undefined : await firstMatch(held, uri)
    if (behind === undefined) return undefined
    if (await firstMatch(this.#offer.templates.filter(isApproved), uri)) return undefined
    return this.reason('template', stringIn(behind, 'uriTemplate'))
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
    if (this.#verdict.unwritten !== undefined) void this.#finishCheck()
  }

  /** Of much that a decision changed, the rest is written down with turns for others; until then all is blocked. */
  async #finishCheck(): Promise<void> {
    if (this.#isFinishing) return
    this.#isFinishing = true
    const [offer, version] = [this.#offer, this.#approvals.version()]
    try {
      const verdict = await this.#approvals.checkInTurns(this.#link.serverId, offer)
      if (this.#offer !== offer) return
      this.#verdict = verdict
      this.#version = version
      this.#checkedAt = this.#now()
    } catch {
      // What is provisional is checked again.
    } finally {
      this.#isFinishing = false
    }
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

  /**
   * Rejects where the server does not list its tools: nothing can be compared with what was approved. An error of its own is
   * its answer to whoever asked for the tool.
   */
  async #readTools(): Promise<void> {
    await this.#refresh(this.lacksTools)
    const failure = this.#offer.unread?.get('tool')
    if (failure === undefined) return
    throw failure instanceof RpcError && this.blocked === undefined ? failure : this.#unread(failure)
  }

  /** Whoever comes while the lists are read waits for them, too: the old ones may allow what the new ones don't. */
  async #refresh(isForced = false): Promise<void> {
    const isReading = this.#reading !== undefined
    await this.#reading
    if (this.#isFresh && (isReading || !isForced)) return
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** Until the new lists are checked, all that is asked for waits, or gets what the old ones allow. */
  async #read(): Promise<void> {
    const [changes, at] = [this.#changes, this.#now()]
    const { serverId } = this.#link
    let offer: Offer
    try {
      offer = await readOffer(this.#link)
    } catch (error) {
      throw this.#unread(error)
    } finally {
      this.#readMs = this.#now() - at
    }
    await this.#approvals.settled()
    await this.#approvals.meetIntroduction(serverId, offer)
    const version = this.#approvals.version()
    this.#verdict = await this.#approvals.checkInTurns(serverId, offer)
    this.#checkedAt = this.#now()
    this.#offer = offer
    this.#version = version
    this.#changesRead = changes
    this.#readAt = at
    this.#mayList = true
  }

  #unread(cause: unknown): SluiceError {
    return new SluiceError(
      'CALL_REFUSED',
      `Server "${this.#link.serverId}" did not say what it offers now (${codeOf(cause)}), so nothing can be called. Try again.`,
      { cause },
    )
  }
}

async function firstMatch(templates: readonly JsonObject[], uri: string): Promise<JsonObject | undefined> {
  // Loaded here, because the SDK's client is large and is seldom needed.
  const { UriTemplate } = await import('@modelcontextprotocol/client')
  return templates.find((template) => {
    try {
      return new UriTemplate(stringIn(template, 'uriTemplate')).match(uri) !== null
    } catch {
      return false
    }
  })
}
