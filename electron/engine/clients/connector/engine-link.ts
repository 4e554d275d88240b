import { type Duplex, duplexPair } from 'node:stream'
import { messageOf } from '../../ground/errors.ts'
import type { ConnectOptions } from '../transports/connect-options.ts'
import { serveStdio } from './serve-stdio.ts'

export interface EngineLink {
  readonly stream: Duplex
  readonly gone: Promise<void>
  destroy(): void
}

/** An engine in this process, for a client that had another one. */
export async function linkToOwnEngine(
  options: ConnectOptions,
  graceMs: number,
  onError: (text: string) => void,
): Promise<EngineLink> {
  const { scope, client } = options
  const engine = await options.hostEngine()
  const [near, far] = duplexPair()
  const stop = new AbortController()
  const serve = async (): Promise<void> => {
    try {
      await serveStdio({ engine, scope, client, stdin: far, stdout: far, graceMs, stop: stop.signal })
    } finally {
      await engine.close()
    }
  }
  const served = serve().catch((error: unknown) => onError(messageOf(error)))
  const read = new Promise<void>((resolve) =>
    near.once('end', () => resolve()).once('close', () => resolve()),
  )
  return {
    stream: near,
    gone: bothOf(served, read),
    destroy: () => {
      stop.abort()
      near.resume()
    },
  }
}

async function bothOf(one: Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.all([one, other])
}
