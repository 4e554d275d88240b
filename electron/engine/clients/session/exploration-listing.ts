import { isJsonObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { ExplorationReach } from './session-dependencies.ts'

/**
 * Whether the exploration tools are part of the list of a session in front of one server: after a first result that was
 * shortened or kept back, the way to it must be in reach, here, unless another session of the client has it.
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
    if (isJsonObject(meta) && ('sluice/result' in meta || 'sluice/quarantine' in meta)) this.list()
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
