import { hasCapability, isEndless } from './list-all.ts'
import type { Offer, PinnedKind } from '../../approvals/pinned-item.ts'
import type { Verdict } from '../../approvals/verdict.ts'
import type { ServerHello } from '../../protocol/era.ts'
import { shownHello } from '../../protocol/introduction.ts'
import { stringIn, isJsonObject, RpcError, type JsonObject } from '../../protocol/json-rpc.ts'
import { each, inSteps, inTurns } from '../../ground/steps.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { blockedReference } from './blocked-reference.ts'
import { checkOffer, unreadOffer, type CheckedOffer } from './check-offer.ts'
import { readOffer } from './read-offer.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import { blockedTemplate, SpelledResources } from './spelled-resources.ts'

/** Before a call: servers may change silently. */
const OLDEST_LIST_MS = 60_000
/** Growing pauses between attempts to write a check. */
const [PROVISIONAL_MS, LONGEST_PROVISIONAL_MS] = [1_000, 30_000]
const OLDEST_TAKEN_MS = 5_000
/** Delay of reading changed lists without a call. */
const CHECK_AFTER_MS = 200

export class ApprovedOffer {
  readonly #link: UpstreamLink
  readonly #approvals: Approvals
  readonly #now: () => number
  #offer: Offer
  #verdict: Verdict
  #version: number
  #readAt: number
  #checkedAt: number
  #changes = 0
  #changesRead = 0
  /** The first client list may reuse what was read, once, before any call. */
  #mayList = true
  #readMs = 0
  #isCheckDue = false
  #isFinishing = false
  #isAgainDue = false
  #reading: Promise<void> | undefined
  /** Links returned by approved tools: readable although unlisted. */
  readonly #linked = new Set<string>()
  readonly #spelled = new SpelledResources()
  readonly #introduction: JsonObject
  #shown: { readonly verdict: Verdict; readonly hello: ServerHello } | undefined

  static async read(link: UpstreamLink, approvals: Approvals, now: () => number): Promise<ApprovedOffer> {
    const checked = await checkOffer(link.serverId, await readOffer(link), approvals)
    return new ApprovedOffer(link, approvals, now, checked)
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
    this.#checkAgain()
  }

  /** Lists are read before the next call, and soon anyway to notify the user. */
  markStale(): void {
    this.#changes++
    if (this.#isCheckDue) return
    this.#isCheckDue = true
    const check = (): void => {
      this.#isCheckDue = false
      // The next caller gets the same error.
      this.#refresh().catch(() => {})
    }
    setTimeout(check, CHECK_AFTER_MS + 4 * this.#readMs).unref()
  }

  get identity(): string {
    return this.#current.identity
  }

  get blocked(): string | undefined {
    return this.#current.blocked
  }

  get waits(): boolean {
    return this.#current.waits
  }

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

  get hasTools(): boolean {
    return hasCapability(this.#link, 'tools')
  }

  get lacksTools(): boolean {
    return this.#offer.unread?.has('tool') === true
  }

  async retryTools(): Promise<void> {
    if (!this.lacksTools) return
    await this.#refresh(true)
    // Nothing in endless pages can be checked, and clients would page forever.
    const failure = this.#offer.unread?.get('tool')
    if (isEndless(failure)) throw unreadOffer(this.#link.serverId, failure)
  }

  allows(kind: PinnedKind, definition: JsonObject): boolean {
    return this.#current.blocked === undefined && this.#current.allows(kind, definition)
  }

  /** Yields to other work. */
  async allowed(kind: PinnedKind, items: readonly JsonObject[]): Promise<JsonObject[]> {
    await inTurns(items, (item) => this.allows(kind, item))
    // The verdict may have changed meanwhile.
    const verdict = this.#current
    return verdict.blocked === undefined ? items.filter((item) => verdict.allows(kind, item)) : []
  }

  /** Undefined if a tool may be used, or the server has none. An empty list alone would look like a broken server. */
  async whyNoTools(listed?: readonly JsonObject[]): Promise<string | undefined> {
    if (this.blocked !== undefined) return this.blocked
    if (listed === undefined) await this.#readTools()
    const tools = listed ?? this.#offer.tools
    if (tools.length === 0 || (await this.allowed('tool', tools)).length > 0) return undefined
    return this.#current.noTools
  }

  reason(kind: PinnedKind, name: string): string {
    return this.#current.blocked ?? this.#current.reason(kind, name)
  }

  /** Whether it was listed but isn't allowed, or this is unknown. */
  isHeldBack(kind: PinnedKind, name: string): boolean {
    return this.#current.blocked !== undefined || this.#current.isHeldBack(kind, name)
  }

  /** Undefined if unapproved; rejects if unknown. */
  approvedTool(name: string): JsonObject | undefined | Promise<JsonObject | undefined> {
    // A call may change the server's lists.
    this.#mayList = false
    if (this.#isFresh && !this.#offer.unread) return this.#approvedTool(name)
    return this.#readTools().then(() => this.#approvedTool(name))
  }

  #approvedTool(name: string): JsonObject | undefined {
    const tool = this.#offer.tools.find((each) => each['name'] === name)
    return tool && this.allows('tool', tool) ? tool : undefined
  }

  /** The tools just listed, if no client has had them: clients list right after initialisation. */
  takeTools(): readonly JsonObject[] | undefined {
    const mayList =
      !this.lacksTools && this.#mayList && this.#isFresh && this.#now() - this.#readAt < OLDEST_TAKEN_MS
    this.#mayList = false
    return mayList ? this.#offer.tools : undefined
  }

  /**
   * Undefined if unlisted: an interceptor answers. `isFresh`: called by another tool, whose caller reads only
   * results.
   */
  refusalOfTool(name: string, isFresh: boolean): string | undefined {
    return isFresh || this.isHeldBack('tool', name) ? this.reason('tool', name) : undefined
  }

  async approvedTools(): Promise<JsonObject[]> {
    await this.#readTools()
    return this.allowed('tool', this.#offer.tools)
  }

  async prompt(name: string): Promise<'approved' | 'unlisted' | { readonly refusal: string }> {
    await this.#link.wake?.()
    await this.#refresh()
    const prompt = this.#offer.prompts.find((each) => each['name'] === name)
    if (prompt ? this.allows('prompt', prompt) : !this.isHeldBack('prompt', name))
      return prompt ? 'approved' : 'unlisted'
    return { refusal: this.reason('prompt', name) }
  }

  /** Unlisted resources pass, unless a blocked one's spelling, or matching a blocked template. */
  async refusalOfResource(uri: string): Promise<string | undefined> {
    await this.#link.wake?.()
    await this.#refresh()
    const listed = this.#offer.resources.find((each) => each['uri'] === uri)
    if (listed) return this.allows('resource', listed) ? this.blocked : this.reason('resource', uri)
    const alike = await this.#spelled.alike(this.#offer.resources, uri)
    const blocked = alike.find((each) => !this.allows('resource', each))
    if (blocked) return this.reason('resource', stringIn(blocked, 'uri'))
    if (this.#linked.has(uri)) return this.blocked
    if (this.isHeldBack('resource', uri)) return this.reason('resource', uri)
    const template = await blockedTemplate(uri, this.#offer.templates, (each) =>
      this.allows('template', each),
    )
    return template && this.reason('template', stringIn(template, 'uriTemplate'))
  }

  learnLinks({ content }: JsonObject): unknown {
    if (!Array.isArray(content)) return undefined
    const learn = (block: unknown): void => {
      if (isJsonObject(block) && block['type'] === 'resource_link') this.#linked.add(stringIn(block, 'uri'))
    }
    return inSteps(each(content, learn))
  }

  #check(): void {
    this.#verdict = this.#approvals.check(this.#link.serverId, this.#offer)
    this.#checkedAt = this.#now()
    if (this.#verdict.unwritten !== undefined) void this.#finishCheck()
    this.#checkAgain()
  }

  /**
   * Until it can be written, so that the user is asked even without requests. Pauses grow; unused offers are
   * forgotten with their timers.
   */
  #checkAgain(pauseMs = PROVISIONAL_MS): void {
    if (this.#isAgainDue || !this.#verdict.isProvisional) return
    this.#isAgainDue = true
    const offer = new WeakRef(this)
    const check = (): void => {
      const still = offer.deref()
      if (still) void still.#settle(pauseMs)
    }
    setTimeout(check, pauseMs).unref()
  }

  async #settle(pauseMs: number): Promise<void> {
    try {
      await this.#approvals.settled()
      await this.#finishCheck()
    } catch {
      // Record closed.
      return
    }
    this.#isAgainDue = false
    this.#checkAgain(Math.min(2 * pauseMs, LONGEST_PROVISIONAL_MS))
  }

  /** Large decisions are written in portions; until then everything is blocked. */
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

  /** Undefined if allowed or unlisted. */
  async refusalOf(ref: unknown): Promise<string | undefined> {
    await this.#link.wake?.()
    await this.#refresh()
    const blocked = blockedReference(ref, this.#offer, (kind, item) => this.allows(kind, item))
    return blocked && this.reason(blocked.kind, blocked.name)
  }

  get #isFresh(): boolean {
    return (
      this.#reading === undefined &&
      this.#changesRead === this.#changes &&
      this.#now() - this.#readAt < OLDEST_LIST_MS
    )
  }

  /** Rejects if tools can't be listed: nothing can be compared. */
  async #readTools(): Promise<void> {
    await this.#refresh(this.lacksTools)
    const failure = this.#offer.unread?.get('tool')
    if (failure === undefined) return
    const isOwn = failure instanceof RpcError && this.blocked === undefined
    throw isOwn ? failure : unreadOffer(this.#link.serverId, failure)
  }

  /** Callers during reading wait, because old lists may allow what new ones don't. */
  async #refresh(isForced = false): Promise<void> {
    const isReading = this.#reading !== undefined
    await this.#reading
    if (this.#isFresh && (isReading || !isForced)) return
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    await this.#reading
  }

  /** Until new lists are checked, requests wait or use the old ones. */
  async #read(): Promise<void> {
    const [changes, at] = [this.#changes, this.#now()]
    const { serverId } = this.#link
    let read: Offer
    try {
      read = await readOffer(this.#link)
    } catch (error) {
      throw unreadOffer(serverId, error)
    } finally {
      this.#readMs = this.#now() - at
    }
    const { offer, version, verdict } = await checkOffer(serverId, read, this.#approvals)
    this.#verdict = verdict
    this.#checkedAt = this.#now()
    this.#checkAgain()
    this.#offer = offer
    this.#version = version
    this.#changesRead = changes
    this.#readAt = at
    this.#mayList = true
  }
}
