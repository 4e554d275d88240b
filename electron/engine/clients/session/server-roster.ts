import { unquotedMessage } from '../../ground/errors.ts'
import type { ClientHello } from '../../protocol/era.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import { Patience } from './patience.ts'
import type { SessionDependencies } from './session-dependencies.ts'
import type { SessionLinks } from './session-links.ts'

/** Before retrying a failed server at a listing. */
const RETRY_AFTER_MS = 20_000
const STARTING = 'start'

/** Started together, listed in config.json's order. */
export class ServerRoster {
  readonly #deps: SessionDependencies
  readonly #links: SessionLinks
  readonly #isReachable: (serverId: string) => boolean
  readonly #failures = new Map<string, { error: string; at: number }>()
  readonly #now: () => number
  readonly #patience: Patience<string>

  constructor(options: {
    deps: SessionDependencies
    links: SessionLinks
    isReachable: (serverId: string) => boolean
    now: () => number
    /** A server arrived after its deadline. */
    onLate: () => void
  }) {
    this.#deps = options.deps
    this.#links = options.links
    this.#isReachable = options.isReachable
    this.#now = options.now
    this.#patience = new Patience(options.onLate, options.deps.startGrace)
  }

  ids(): string[] {
    return Object.entries(this.#deps.settings().servers).flatMap(([id, server]) =>
      server.disabled || !this.#isReachable(id) ? [] : [id],
    )
  }

  failures(): { serverId: string; error: string }[] {
    const failed = [...this.#failures].map(([serverId, { error }]) => ({ serverId, error }))
    const late = this.ids().filter((id) => this.#patience.isOverdue(id, STARTING))
    const waited = 'It has not started yet. Its tools are listed as soon as it has.'
    return [...failed, ...late.map((serverId) => ({ serverId, error: waited }))]
  }

  async links(client: ClientHello): Promise<UpstreamLink[]> {
    const ids = this.ids().filter((id) => !this.#failedLately(id))
    const opened = await this.#patience.all(ids, STARTING, (id) => this.#open(id, client))
    return opened.filter((link) => link !== undefined)
  }

  #failedLately(serverId: string): boolean {
    const failure = this.#failures.get(serverId)
    return failure !== undefined && this.#now() - failure.at < RETRY_AFTER_MS
  }

  async #open(serverId: string, client: ClientHello): Promise<UpstreamLink | undefined> {
    try {
      const link = await this.#links.open(serverId, client)
      this.#failures.delete(serverId)
      return link
    } catch (error) {
      this.#failures.set(serverId, { error: unquotedMessage(error), at: this.#now() })
      return undefined
    }
  }
}
