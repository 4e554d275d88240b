import type { Duplex } from 'node:stream'

export interface EngineLink {
  readonly stream: Duplex
  readonly gone: Promise<void>
  destroy(): void
}
