import type { Readable, Writable } from 'node:stream'
import type { ClientIdentity, SessionScope } from '../transports/client-session.ts'
import type { HostedEngine } from '../transports/connect-options.ts'
import { serveChannel } from '../transports/serve-channel.ts'
import { StreamChannel } from '../transports/stream-channel.ts'

export interface ServeStdioOptions {
  readonly engine: HostedEngine
  readonly scope: SessionScope
  readonly client: ClientIdentity
  readonly stdin: Readable
  readonly stdout: Writable
  readonly graceMs: number
  readonly stop: AbortSignal
}

/** Resolves when the session has ended. */
export async function serveStdio(options: ServeStdioOptions): Promise<void> {
  const { engine, scope, client, stdin, stdout, graceMs, stop } = options
  const { openSession, logger, maxMessageBytes } = engine
  const channel = new StreamChannel({ input: stdin, output: stdout, maxMessageBytes, graceMs })
  const served = await serveChannel(channel, { scope, client, openSession, logger })
  const onStop = (): void => void served.close()
  stop.addEventListener('abort', onStop)
  if (stop.aborted) onStop()
  await served.closed
}
