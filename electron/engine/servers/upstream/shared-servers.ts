import { type ClientHello, MODERN_VERSION } from '../../protocol/era.ts'
import { EVERY_CAPABILITY } from '../../protocol/every-capability.ts'
import type { Logger } from '../../ground/logger.ts'
import type { OpenLinkOptions } from '../../protocol/link.ts'
import type { OpenedPeer, PeerEvents } from './opened-peer.ts'
import { SharedServer, type OpenShared } from './shared-server.ts'

export interface SharedServersOptions {
  readonly logger: Logger
  readonly version: string
  /** For another client. */
  readonly graceMs?: number
}

/** A client that restarts its servers (a window reload) finds them running. */
const GRACE_MS = 15_000

/** One process per launch: sessions join instead of starting and leave instead of ending. */
export class SharedServers {
  readonly #options: SharedServersOptions
  readonly #servers = new Map<string, SharedServer>()
  readonly #ending = new Set<Promise<void>>()
  readonly #greeting: ClientHello

  constructor(options: SharedServersOptions) {
    this.#options = options
    const { tasks: _tasks, ...capabilities } = EVERY_CAPABILITY
    // 2026-07-28, tried first, sends requests in call results, so the recipient is certain.
    this.#greeting = {
      era: 'modern',
      protocolVersion: MODERN_VERSION,
      capabilities: { ...capabilities, roots: {} },
      clientInfo: { name: 'sluice', title: 'Sluice, for several clients', version: options.version },
    }
  }

  /** Starts it with `open` if needed. */
  join(
    options: OpenLinkOptions,
    events: PeerEvents,
    open: (greeting: { client: ClientHello; signal: AbortSignal; events: PeerEvents }) => Promise<OpenedPeer>,
  ): Promise<OpenedPeer> {
    const key = keyOf(options)
    const { serverId, client, signal } = options
    const known = this.#servers.get(key)
    const server = known ?? this.#start(key, serverId, (rest) => open({ client: this.#greeting, ...rest }))
    return server.join(client, events, signal)
  }

  /** Later sessions get another process. */
  retire(serverId: string): void {
    for (const [key, server] of this.#servers) {
      if (server.serverId !== serverId) continue
      this.#servers.delete(key)
      server.retire()
    }
  }

  async close(): Promise<void> {
    const servers = [...this.#servers.values()]
    this.#servers.clear()
    await Promise.all(servers.map((server) => server.end()))
    await Promise.all(this.#ending)
  }

  #start(key: string, serverId: string, open: OpenShared): SharedServer {
    const server: SharedServer = new SharedServer({
      serverId,
      open,
      logger: this.#options.logger.child({ server: serverId }),
      graceMs: this.#options.graceMs ?? GRACE_MS,
      onOver: (ended) => {
        if (this.#servers.get(key) === server) this.#servers.delete(key)
        const tracked = ended.finally(() => this.#ending.delete(tracked))
        this.#ending.add(tracked)
      },
    })
    this.#servers.set(key, server)
    return server
  }
}

/** Includes variable values: two accounts are two processes. */
const keyOf = ({ serverId, settings }: OpenLinkOptions): string => {
  const { command, args, env, cwd } = settings
  const variables = Object.entries(env ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([serverId, command, args ?? [], variables, cwd ?? ''])
}
