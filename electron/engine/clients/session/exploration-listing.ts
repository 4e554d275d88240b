import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ExplorationReach } from './session-dependencies.ts'

/** Marks of results that the tools read on. */
const NEED_THEM = ['sluice/result', 'sluice/repeat', 'sluice/quarantine']

/**
 * One-server sessions list them after the first shortened or quarantined result, unless another session of the client
 * does.
 */
export class ExplorationListing {
  readonly #reach: ExplorationReach
  readonly #clientName: () => string
  readonly #onListed: () => void
  #leave: (() => void) | undefined

  constructor(reach: ExplorationReach, clientName: () => string, onListed: () => void) {
    this.#reach = reach
    this.#clientName = clientName
    this.#onListed = onListed
  }

  get isListed(): boolean {
    return this.#leave !== undefined
  }

  listFor({ _meta: meta }: JsonObject): void {
    if (isJsonObject(meta) && NEED_THEM.some((mark) => mark in meta)) this.list()
  }

  list(): void {
    if (this.isListed || this.#reach.has(this.#clientName())) return
    this.#leave = this.#reach.enter(this.#clientName())
    this.#onListed()
  }

  leave(): void {
    this.#leave?.()
  }
}
