import { SluiceError, unquotedMessage } from '../errors.ts'
import type { ClientHello } from '../protocol/era.ts'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { UpstreamLink } from '../upstream/link.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import type { SessionLinks } from './session-links.ts'

/** A failed server is tried again at the next listing, but not sooner than this. */
const RETRY_AFTER_MS = 20_000

/** The enabled servers of a session that shows all of them: started together, listed in the order of config.json. */
export class ServerRoster {
  readonly #deps: SessionDependencies
  readonly #links: SessionLinks
  readonly #patienceMs: number
  readonly #failures = new Map<string, { error: string; at: number }>()
  /** Servers that were waited for once: what is asked next does not wait for them again. */
  readonly #overdue = new Set<string>()
  readonly #now: () => number
  /** Called when a server that lists had to do without is there after all. */
  readonly #onLate: () => void

  constructor(options: {
    deps: SessionDependencies
    links: SessionLinks
    patienceMs: number
    now: () => number
    onLate: () => void
  }) {
    this.#deps = options.deps
    this.#links = options.links
    this.#patienceMs = options.patienceMs
    this.#now = options.now
    this.#onLate = options.onLate
  }

  ids(): string[] {
    return Object.entries(this.#deps.settings().servers).flatMap(([id, server]) =>
      server.disabled ? [] : [id],
    )
  }

  /** Why servers could not be started, for instructions: without their own words, which nobody has approved. */
  failures(): { serverId: string; error: string }[] {
    const failed = [...this.#failures].map(([serverId, { error }]) => ({ serverId, error }))
    const waited = `It has not answered for ${this.#patienceMs / 1000} s. Its tools are listed as soon as it does.`
    return [...failed, ...[...this.#overdue].map((serverId) => ({ serverId, error: waited }))]
  }

  /** The links of all servers that are there within the patience; slow ones go on starting and are told of later. */
  async links(client: ClientHello): Promise<UpstreamLink[]> {
    const opened = await Promise.all(this.ids().map((id) => this.#openWithin(id, client)))
    return opened.filter((link) => link !== undefined)
  }

  async #openWithin(serverId: string, client: ClientHello): Promise<UpstreamLink | undefined> {
    const failure = this.#failures.get(serverId)
    if (failure && this.#now() - failure.at < RETRY_AFTER_MS) return undefined
    const opening = this.#links.open(serverId, client).then(
      (link) => {
        this.#failures.delete(serverId)
        if (this.#overdue.delete(serverId)) this.#onLate()
        return link
      },
      (error: unknown) => {
        this.#overdue.delete(serverId)
        this.#failures.set(serverId, { error: unquotedMessage(error), at: this.#now() })
        return undefined
      },
    )
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<undefined>((resolve) => {
      const onTime = (): void => {
        this.#overdue.add(serverId)
        resolve(undefined)
      }
      timer = setTimeout(onTime, this.#overdue.has(serverId) ? 0 : this.#patienceMs)
    })
    return Promise.race([opening, patience]).finally(() => clearTimeout(timer))
  }
}

/** More than any server has; some could go on for ever. */
const MOST_PAGES = 1000

/** Every page of a list, as one. A server that repeats a cursor is cut off there; throws LIMIT_REACHED for an endless one. */
export async function listAll(link: UpstreamLink, method: string, field: string): Promise<JsonObject[]> {
  const items: JsonObject[] = []
  const seen = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const page = await link.request(method, cursor === undefined ? {} : { cursor })
    if (Array.isArray(page[field])) items.push(...page[field].filter(isJsonObject))
    cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined
    if (cursor === undefined || seen.has(cursor)) return items
    seen.add(cursor)
    if (seen.size >= MOST_PAGES) {
      const message = `Server "${link.serverId}" answers ${method} with more than ${MOST_PAGES} pages.`
      throw new SluiceError('LIMIT_REACHED', message)
    }
  }
}

export const hasCapability = (link: UpstreamLink, name: string): boolean =>
  link.hello.capabilities[name] !== undefined
