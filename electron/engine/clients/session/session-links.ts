import type { ServerSettings } from '../../../../shared/settings.ts'
import type { ClientIdentity } from '../transports/client-session.ts'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import type { ClientHello } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { OpenLink, UpstreamLink } from '../../protocol/link.ts'

export interface SessionLinksOptions {
  readonly openLink: OpenLink
  readonly client: ClientIdentity
  readonly logger: Logger
  serverSettings(serverId: string): ServerSettings | string | undefined
  onNotification(serverId: string, method: string, params: JsonObject | undefined): void
  onRequest(
    serverId: string,
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
    notify: (method: string, params?: JsonObject) => void,
  ): Promise<JsonObject>
  /** The next request restarts it. */
  onLost(serverId: string, error: Error): void
}

interface Entry {
  readonly opening: Promise<UpstreamLink>
  readonly abort: AbortController
  link: UpstreamLink | undefined
  inFlight: number
  retired: boolean
}

export class SessionLinks {
  readonly #options: SessionLinksOptions
  readonly #entries = new Map<string, Entry>()
  /** Retired but still answering. */
  readonly #draining = new Set<Entry>()
  readonly #closing = new Set<Promise<void>>()
  #closed = false

  constructor(options: SessionLinksOptions) {
    this.#options = options
  }

  open(serverId: string, client: ClientHello): Promise<UpstreamLink> {
    const known = this.#entries.get(serverId)
    if (known) return known.opening
    if (this.#closed) return Promise.reject(new SluiceError('SERVER_UNAVAILABLE', 'The session has ended.'))
    const settings = this.#options.serverSettings(serverId)
    if (typeof settings !== 'object' || settings.disabled)
      return Promise.reject(notEnabled(serverId, settings))
    const abort = new AbortController()
    const entry: Entry = {
      abort,
      link: undefined,
      inFlight: 0,
      retired: false,
      opening: this.#options.openLink({
        serverId,
        settings,
        client,
        ...(this.#options.client.cwd === undefined ? {} : { cwd: this.#options.client.cwd }),
        ...(this.#options.client.env === undefined ? {} : { env: this.#options.client.env }),
        signal: abort.signal,
        events: {
          onNotification: (method, params) => this.#options.onNotification(serverId, method, params),
          onRequest: (...question) => this.#options.onRequest(serverId, ...question),
          onLost: (error) => this.#lost(serverId, entry, error),
        },
      }),
    }
    this.#entries.set(serverId, entry)
    entry.opening.then(
      (link) => {
        entry.link = link
        if (this.#closed || entry.retired) this.#end(serverId, entry)
        return undefined
      },
      (error: unknown) => {
        if (this.#entries.get(serverId) === entry) this.#entries.delete(serverId)
        this.#options.logger.warn('server not available', { server: serverId, error: messageOf(error) })
      },
    )
    return entry.opening
  }

  current(serverId: string): UpstreamLink | undefined {
    return this.#entries.get(serverId)?.link
  }

  all(): UpstreamLink[] {
    return [...this.#entries.values()].flatMap((entry) => (entry.link ? [entry.link] : []))
  }

  async with<T>(serverId: string, client: ClientHello, use: (link: UpstreamLink) => Promise<T>): Promise<T> {
    const link = this.current(serverId) ?? (await this.open(serverId, client))
    const entry = this.#entries.get(serverId)
    if (!entry || entry.link !== link) return use(link)
    entry.inFlight++
    try {
      return await use(link)
    } finally {
      entry.inFlight--
      if (entry.retired && entry.inFlight === 0) this.#close(entry)
    }
  }

  /** New requests restart the server; running calls finish on the old one. */
  retire(serverId: string): void {
    const entry = this.#entries.get(serverId)
    if (!entry) return
    entry.retired = true
    this.#entries.delete(serverId)
    if (!entry.link) entry.abort.abort()
    else if (entry.inFlight === 0) this.#close(entry)
    else this.#draining.add(entry)
  }

  /** Every server's end is confirmed. */
  async close(): Promise<void> {
    this.#closed = true
    for (const [serverId, entry] of this.#entries) this.#end(serverId, entry)
    for (const entry of this.#draining) this.#close(entry)
    await Promise.allSettled(this.#closing)
  }

  #lost(serverId: string, entry: Entry, error: Error): void {
    if (this.#entries.get(serverId) === entry) this.#entries.delete(serverId)
    this.#draining.delete(entry)
    // Also ends the process group.
    this.#close(entry)
    if (!this.#closed && !entry.retired) this.#options.onLost(serverId, error)
  }

  #end(serverId: string, entry: Entry): void {
    if (this.#entries.get(serverId) === entry) this.#entries.delete(serverId)
    if (!entry.link) {
      entry.abort.abort()
      this.#track(entry.opening.then((link) => link.close()).catch(() => {}))
    } else this.#close(entry)
  }

  #close(entry: Entry): void {
    this.#draining.delete(entry)
    const { link } = entry
    if (link) this.#track(link.close())
  }

  #track(closing: Promise<void>): void {
    const tracked = closing
      .catch((error: unknown) =>
        this.#options.logger.warn('server did not end cleanly', { error: messageOf(error) }),
      )
      .finally(() => this.#closing.delete(tracked))
    this.#closing.add(tracked)
  }
}

function notEnabled(serverId: string, settings: ServerSettings | string | undefined): SluiceError {
  if (typeof settings === 'string') return new SluiceError('SETTINGS_INVALID', settings)
  return settings
    ? new SluiceError(
        'SERVER_UNAVAILABLE',
        `Server "${serverId}" is disabled in config.json ("disabled": true). Enable it on the Servers screen, or take "disabled" out; an app's own switch does not reach it.`,
      )
    : new SluiceError(
        'SERVER_UNKNOWN',
        `There is no server "${serverId}" in config.json. Add it under "servers", or check the name for typing errors.`,
      )
}
